import { groupCount } from '../format/money.ts';
import { formatTime } from '../format/time.ts';
import type { HomeFiguresQuery } from '../generated/documents.generated.ts';
import { Panel } from '../parts/page.tsx';
import styles from './home.module.css';

type Figures = HomeFiguresQuery['hours'];
type Group = NonNullable<Figures>['groups'][number];
const [WIDTH, HEIGHT] = [960, 120];

/** Orders of each hour, all currencies together. The line is yesterday. */
export function Hours({ hours, zone }: { hours: Figures; zone: string }) {
  const today = byHour(hours?.groups ?? [], zone);
  const yesterday = byHour(hours?.comparison?.groups ?? [], zone);
  const most = Math.max(1, ...[...today, ...yesterday].map(({ orders }) => orders));
  const width = WIDTH / 24;
  const y = (count: number) => HEIGHT - (count / most) * HEIGHT;
  const line = yesterday.map(({ orders, hour }) => `${(hour + 0.5) * width},${y(orders)}`).join(' ');
  const total = today.reduce((sum, { orders }) => sum + orders, 0);
  return (
    <Panel title="By hour" side={`${groupCount(total)} orders today`}>
      <svg className={styles.chart} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${total} orders today`}>
        {today.map(({ hour, orders, completed }) => (
          <g key={hour}>
            <title>{`${hour}:00: ${orders} orders, ${completed} completed`}</title>
            <rect
              x={hour * width + 2}
              y={y(orders)}
              width={width - 4}
              height={HEIGHT - y(orders)}
              className={styles.all}
            />
            <rect
              x={hour * width + 2}
              y={y(completed)}
              width={width - 4}
              height={HEIGHT - y(completed)}
              className={styles.done}
            />
          </g>
        ))}
        <polyline points={line} className={styles.before} />
      </svg>
      <div className={styles.axis} aria-hidden="true">
        {[0, 6, 12, 18].map((hour) => (
          <span key={hour}>{hour}:00</span>
        ))}
        <span>24:00</span>
      </div>
      <p className="soft">Columns: today, the darker part completed. Line: yesterday.</p>
    </Panel>
  );
}

function byHour(groups: readonly Group[], zone: string): { hour: number; orders: number; completed: number }[] {
  const hours = new Map<number, { hour: number; orders: number; completed: number }>();
  for (const { startsAt, orders, completed } of groups) {
    if (startsAt === null) continue;
    const hour = Number(formatTime(startsAt, zone, 'second').slice(0, 2));
    const sum = hours.get(hour) ?? { hour, orders: 0, completed: 0 };
    hours.set(hour, { hour, orders: sum.orders + orders, completed: sum.completed + completed });
  }
  return [...hours.values()].sort((a, b) => a.hour - b.hour);
}
