import { groupCount } from '../format/money.ts';
import { formatDuration } from '../format/time.ts';
import type { HomeFiguresQuery } from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { Empty, Panel } from '../parts/page.tsx';
import { Change } from './change.tsx';
import styles from './home.module.css';

type Figures = HomeFiguresQuery['totals'];

/** The day so far in each currency. */
export function Totals({ totals }: { totals: Figures }) {
  if (!totals) return <p className="soft">Loading …</p>;
  if (totals.groups.length === 0)
    return (
      <Panel>
        <Empty title="No orders today yet">Volume, success rate and times appear with the first order.</Empty>
      </Panel>
    );
  return (
    <section className={styles.totals} aria-label="Today in each currency">
      {totals.groups.map((group) => {
        const before = totals.comparison?.groups.find(({ currency }) => currency === group.currency);
        return (
          <div key={group.currency} className={styles.total}>
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
      })}
    </section>
  );
}

/** A success rate as a percentage. */
export function rateOf(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(1)} %`;
}
