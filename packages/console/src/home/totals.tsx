import { groupCount } from '../format/money.ts';
import { formatDuration } from '../format/time.ts';
import { orderKindWords } from '../format/words.ts';
import type { HomeFiguresQuery } from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { Empty, Panel } from '../parts/page.tsx';
import { Change } from './change.tsx';
import styles from './home.module.css';

type KindFigures = NonNullable<HomeFiguresQuery['payins']>;
type Group = KindFigures['groups'][number];

/** The day so far: payins and payouts apart, in each currency. Money in and money out are never one sum. */
export function Totals({ figures }: { figures: HomeFiguresQuery | undefined }) {
  if (!figures) return <p className="soft">Loading …</p>;
  const kinds = [
    { kind: 'PAYIN', of: figures.payins },
    { kind: 'PAYOUT', of: figures.payouts },
  ] as const;
  if (kinds.every(({ of }) => (of?.groups.length ?? 0) === 0))
    return (
      <Panel>
        <Empty title="No orders today yet">Volume, success rate and times appear with the first order.</Empty>
      </Panel>
    );
  return (
    <section className={styles.totals} aria-label="Today in each currency">
      {kinds.flatMap(({ kind, of }) =>
        (of?.groups ?? []).map((group) => (
          <Total
            key={`${kind} ${group.currency}`}
            title={`${orderKindWords[kind].label}s`}
            group={group}
            before={of?.comparison?.groups.find(({ currency }) => currency === group.currency)}
          />
        )),
      )}
    </section>
  );
}

function Total({ title, group, before }: { title: string; group: Group; before: Group | undefined }) {
  return (
    <div className={styles.total}>
      <h2 className={styles.kind}>{title}</h2>
      <div className={styles.amount}>
        <Money amount={group.completedAmount} currency={group.currency} />{' '}
        <Change now={Number(group.completedAmount)} before={before && Number(before.completedAmount)} />
      </div>
      <dl className={styles.figures}>
        <div>
          <dt>Completed</dt>
          <dd>
            {groupCount(group.completed)} of {groupCount(group.orders)}{' '}
            <Change now={group.completed} before={before?.completed} />
          </dd>
        </div>
        <div>
          <dt>Success rate</dt>
          <dd>
            {rateOf(group.successRate)}{' '}
            <span className="soft">{before ? `was ${rateOf(before.successRate)}` : ''}</span>
          </dd>
        </div>
        <div>
          <dt>Time to complete</dt>
          <dd>{group.p50Ms === null ? '–' : formatDuration(group.p50Ms)}</dd>
        </div>
        <div>
          <dt>95 of 100 within</dt>
          <dd>{group.p95Ms === null ? '–' : formatDuration(group.p95Ms)}</dd>
        </div>
      </dl>
    </div>
  );
}

/** A success rate as a percentage. */
export function rateOf(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(1)} %`;
}
