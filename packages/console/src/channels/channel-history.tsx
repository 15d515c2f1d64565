import { formatDuration, formatTime } from '../format/time.ts';
import { Panel } from '../parts/page.tsx';
import { useTimeZone } from '../preferences/time-zone.ts';
import type { ChannelDetail } from './channel-detail.ts';
import { percentOf } from './channel-words.ts';
import styles from './channels.module.css';

type Hour = ChannelDetail['health']['history'][number];
const [WIDTH, HEIGHT] = [1_000, 90];
const HOURS = 168;

/** The last seven days by the hour: calls as columns, those that were not answered in another colour. */
export function ChannelHistory({ hours }: { hours: readonly Hour[] }) {
  const zone = useTimeZone();
  if (hours.length === 0) return null;
  const most = Math.max(1, ...hours.map(({ calls }) => calls ?? 0));
  const end = Math.max(...hours.map(({ startsAt }) => Date.parse(startsAt)));
  const width = WIDTH / HOURS;
  return (
    <Panel title="Last seven days">
      <svg className={styles.chart} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={describe(hours)}>
        {hours.map(({ startsAt, calls, answered, answerRate, p95Ms }) => {
          const x = WIDTH - ((end - Date.parse(startsAt)) / 3_600_000 + 1) * width;
          const full = ((calls ?? 0) / most) * HEIGHT;
          const good = ((answered ?? 0) / most) * HEIGHT;
          return (
            <g key={startsAt}>
              <title>
                {`${formatTime(startsAt, zone, 'minute')}: ${calls ?? 'some'} calls, ${percentOf(answerRate)} answered${
                  p95Ms === null ? '' : `, 95 of 100 within ${formatDuration(p95Ms)}`
                }`}
              </title>
              <rect x={x} y={HEIGHT - full} width={width - 0.8} height={full} className={styles.lost} />
              <rect x={x} y={HEIGHT - good} width={width - 0.8} height={good} className={styles.answered} />
            </g>
          );
        })}
      </svg>
      <p className="soft">{describe(hours)}</p>
    </Panel>
  );
}

function describe(hours: readonly Hour[]): string {
  const sum = (pick: (hour: Hour) => number | null) => hours.reduce((total, hour) => total + (pick(hour) ?? 0), 0);
  const calls = sum(({ calls: some }) => some);
  const answered = sum(({ answered: some }) => some);
  return calls === 0 ? 'No calls in this time.' : `${calls} calls, ${percentOf(answered / calls)} of them answered.`;
}
