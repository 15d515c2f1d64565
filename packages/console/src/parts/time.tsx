import { formatTime } from '../format/time.ts';
import { useTimeZone } from '../preferences/time-zone.ts';
import styles from './parts.module.css';

/** A time in the chosen zone; exact, with its offset, on hover. */
export function Time({ at, look = 'minute' }: { at: string; look?: 'minute' | 'second' | 'exact' }) {
  const zone = useTimeZone();
  return (
    <time className={styles.time} dateTime={at} title={formatTime(at, zone, 'exact')}>
      {formatTime(at, zone, look)}
    </time>
  );
}
