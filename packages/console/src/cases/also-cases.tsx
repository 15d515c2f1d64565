import { useQuery } from 'urql';
import type { CustomField } from '../actions/action.ts';
import { caseKindWords, holdsNoMoney, isOfPayout, isOutgoing } from '../format/case-words.ts';
import { CaseListDocument, type CaseRowFragment } from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { Failure } from '../parts/notice.tsx';
import { Time } from '../parts/time.tsx';
import type { CaseDetail } from './case-detail.ts';
import styles from './cases.module.css';

interface Also {
  no: string;
  amount: string;
}

const MOST = 50;

/** Whether the money of two cases can be credited together: money of a payout goes to that payout only, and money that left cannot be credited. */
function goesWith(found: CaseDetail, one: CaseRowFragment): boolean {
  if (isOfPayout(found.kind)) return isOfPayout(one.kind) && one.orderNo === found.orderNo;
  return !isOfPayout(one.kind) && !isOutgoing(one.kind) && !holdsNoMoney(one.kind);
}

/** Chooses further open cases of the same merchant, those about the same order first. */
export function AlsoCases({ found, value, change, problem }: CustomField & { found: CaseDetail }) {
  const { merchantId, caseNo, orderNo } = found;
  const variables = { filter: { merchantIds: [merchantId], states: ['OPEN' as const] }, first: MOST };
  const [{ data, error }, read] = useQuery({ query: CaseListDocument, variables });
  const others = (data?.moneyCases?.edges ?? [])
    .map(({ node }) => node)
    .filter((one) => one.caseNo !== caseNo && goesWith(found, one));
  const sorted = [
    ...others.filter((one) => one.orderNo === orderNo),
    ...others.filter((one) => one.orderNo !== orderNo),
  ];
  const chosen = readAlso(value);
  const toggle = ({ caseNo: no, amount }: CaseRowFragment) => {
    const key = String(no);
    const isChosen = chosen.some((one) => one.no === key);
    change(writeAlso(isChosen ? chosen.filter((one) => one.no !== key) : [...chosen, { no: key, amount }]));
  };
  if (error) return <Failure error={error} retry={() => read({ requestPolicy: 'network-only' })} />;
  if (sorted.length === 0) return null;
  return (
    <fieldset className={styles.also}>
      <legend>Together with further open cases of {merchantId}</legend>
      {sorted.map((one) => (
        <label key={one.id}>
          <input
            type="checkbox"
            checked={chosen.some(({ no }) => no === String(one.caseNo))}
            onChange={() => toggle(one)}
          />
          <span className={styles.alsoWhat}>
            {caseKindWords[one.kind]}
            <span className="soft">
              {one.orderNo === orderNo && orderNo !== null ? 'same order' : (one.orderNo ?? one.channelId)},{' '}
              <Time at={one.openedAt} />
            </span>
          </span>
          <Money amount={one.amount} currency={one.currency} />
        </label>
      ))}
      {problem !== undefined && <span className={styles.problem}>{problem}</span>}
    </fieldset>
  );
}

/** The chosen cases of the field's text. */
export function readAlso(value: string): Also[] {
  return value
    .split(',')
    .filter((one) => one !== '')
    .map((one) => {
      const [no = '', amount = '0'] = one.split(' ');
      return { no, amount };
    });
}

function writeAlso(also: readonly Also[]): string {
  return also.map(({ no, amount }) => `${no} ${amount}`).join(',');
}
