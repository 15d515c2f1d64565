import { sumAmounts } from '../format/money.ts';
import type { DayDetailQuery } from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import styles from './reconciliation.module.css';
import { breakKindWords, breakStateWords } from './reconciliation-words.ts';

type DayDetail = NonNullable<DayDetailQuery['reconciliationDay']>;
type Part = DayDetail['explanation'][number];

/** Why the sums of both sides differ, part by part: the parts add up to the difference. */
export function SumsExplained({ found: { day, explanation } }: { found: Pick<DayDetail, 'day' | 'explanation'> }) {
  const { statementNet, ledgerNet, currency, country } = day;
  const more = sumAmounts([statementNet, ledgerNet.startsWith('-') ? ledgerNet.slice(1) : `-${ledgerNet}`]);
  if (explanation.length === 0) return <p className={styles.explained}>Both sides have the same sum.</p>;
  const isLess = more.startsWith('-');
  return (
    <div className={`${styles.explained} in-text`}>
      The statements show <Money amount={more.replace('-', '')} currency={currency} /> {isLess ? 'less' : 'more'} than
      the ledger:
      <ul className={styles.missing}>
        {explanation.map((part) => (
          <li key={`${part.reason} ${part.breakKind} ${part.breakState}`}>
            <Money amount={part.amount} currency={currency} /> <PartWords part={part} country={country} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function PartWords({ part, country }: { part: Part; country: string }) {
  const { reason, breakKind, breakState, breakNos, count } = part;
  if (reason === 'BREAK' && breakKind && breakState)
    return (
      <>
        by {breakNos.length === 1 ? 'the break' : 'the breaks'}{' '}
        {breakNos.map((no, i) => (
          <span key={no}>
            {i > 0 && ', '}
            <ScreenLink to={`/reconciliation/breaks/${country}/${no}`}>{String(no)}</ScreenLink>
          </span>
        ))}
        : {breakKindWords[breakKind].toLowerCase()}, {breakStateWords[breakState].label.toLowerCase()}
      </>
    );
  const movements = count === 1 ? '1 movement' : `${count} movements`;
  switch (reason) {
    case 'OTHER_DAYS':
      return <>in {movements} that the other side has on another day. They are matched.</>;
    case 'OTHER_AMOUNTS':
      return <>in {movements} matched with another amount, within the tolerance</>;
    default:
      return <>that nothing explains yet</>;
  }
}
