import { useQuery } from 'urql';
import type { CustomField } from '../actions/action.ts';
import { type BreakKind, BreakListDocument } from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { Failure } from '../parts/notice.tsx';
import type { BreakDetail } from './break-detail.ts';
import { showDay } from './day-look.ts';
import styles from './reconciliation.module.css';
import { breakKindWords } from './reconciliation-words.ts';
import { opposite, possibleOutcomes } from './resolution.ts';
import { tenantOf } from './to-filter.ts';

const MOST = 50;

/** Why a break of this kind needs no other one. */
const alone: Partial<Record<BreakKind, string>> = {
  DUPLICATE: 'None: the file repeats a line',
  BALANCE: 'None: the balance in the file was wrong',
};

/** Chooses the open break of the same channel whose amount cancels this one out. A repeated line needs none. A wrong balance explains no other break. */
export function OtherBreak({ found, value, change, problem }: CustomField & { found: BreakDetail }) {
  const { country, channelId, amount, currency, breakNo, kind } = found;
  const filter = {
    merchantIds: [tenantOf(country)],
    channelIds: [channelId],
    states: ['OPEN' as const],
    amount: opposite(amount),
  };
  const variables = { filter, sort: 'OLDEST_FIRST' as const, first: MOST };
  const [{ data, error, fetching }, read] = useQuery({ query: BreakListDocument, variables });
  const others = (data?.breaks?.edges ?? [])
    .map(({ node }) => node)
    .filter((one) => one.breakNo !== breakNo && possibleOutcomes(one).includes('LINKED'))
    .filter((one) => kind !== 'BALANCE' && one.kind !== 'BALANCE');
  if (error) return <Failure error={error} retry={() => read({ requestPolicy: 'network-only' })} />;
  if (fetching) return <p className="soft">Loading …</p>;
  return (
    <fieldset className={styles.others}>
      <legend>Break that cancels it out</legend>
      {alone[kind] !== undefined && (
        <label>
          <input type="radio" name="otherBreakNo" checked={value === ''} onChange={() => change('')} />
          {alone[kind]}
        </label>
      )}
      {others.map((one) => (
        <label key={one.id}>
          <input
            type="radio"
            name="otherBreakNo"
            checked={value === String(one.breakNo)}
            onChange={() => change(String(one.breakNo))}
          />
          <span>
            {breakKindWords[one.kind]}{' '}
            <span className="soft">
              no. {one.breakNo}, {showDay(one.day)}
              {one.orderNo !== null && `, ${one.orderNo}`}
            </span>
          </span>
          <Money amount={one.amount} currency={currency} />
        </label>
      ))}
      {others.length === 0 && alone[kind] === undefined && (
        <p className="soft">
          No open break of {channelId} has the amount <Money amount={filter.amount} currency={currency} />.
        </p>
      )}
      {problem !== undefined && <span className={styles.problem}>{problem}</span>}
    </fieldset>
  );
}
