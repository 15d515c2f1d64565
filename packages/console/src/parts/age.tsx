import { useEffect, useState } from 'react';
import { formatDuration, formatTime } from '../format/time.ts';
import { useTimeZone } from '../preferences/time-zone.ts';
import styles from './parts.module.css';

/** The current time, updated regularly. */
function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** How long ago something was, for example `2 h 5 min`; the time itself on hover. */
export function Age({ at }: { at: string }) {
  const zone = useTimeZone();
  const now = useNow(15_000);
  return (
    <time className={styles.time} dateTime={at} title={formatTime(at, zone, 'exact')}>
      {formatDuration(Math.max(0, Math.floor((now - Date.parse(at)) / 1_000) * 1_000))}
    </time>
  );
}

/** How much time is left, for example `12 min 5 s`, or that it is over. In the last minutes it warns. */
export function TimeLeft({ until, over = 'over' }: { until: string; over?: string }) {
  const zone = useTimeZone();
  const now = useNow(1_000);
  const left = Date.parse(until) - now;
  return (
    <time
      className={`${styles.time} ${styles.left}`}
      data-urgent={left < 5 * 60_000}
      dateTime={until}
      title={formatTime(until, zone, 'exact')}
    >
      {left <= 0 ? over : formatDuration(Math.ceil(left / 1_000) * 1_000)}
    </time>
  );
}
