import type { ReactNode } from 'react';
import { indentJson } from '../format/json.ts';
import { dayOf, formatTime } from '../format/time.ts';
import type { Tone } from '../format/words.ts';
import { useTimeZone } from '../preferences/time-zone.ts';
import styles from './parts.module.css';

export interface TimelineItem {
  key: string;
  at: string;
  tone: Tone;
  title: ReactNode;
  more?: ReactNode;
}

/** Events in order. The date is shown where it changes. */
export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  const zone = useTimeZone();
  return (
    <ol className={styles.timeline}>
      {items.map(({ key, at, tone, title, more }, i) => {
        const earlier = items[i - 1];
        const isNewDay = !earlier || dayOf(new Date(earlier.at), zone) !== dayOf(new Date(at), zone);
        return (
          <li key={key}>
            <time className={`${styles.timelineTime} figures`} dateTime={at} title={formatTime(at, zone, 'exact')}>
              {isNewDay && <span className={styles.timelineDay}>{formatTime(at, zone, 'dayMonth')}</span>}
              {formatTime(at, zone, 'second')}
            </time>
            <span className={styles.timelineMark} data-tone={tone} />
            <div>
              <div className={styles.timelineTitle}>{title}</div>
              {more !== undefined && more !== null && <div className={styles.timelineMore}>{more}</div>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** A text as it came: a body, a channel's message. JSON is indented. */
export function Raw({ text }: { text: string }) {
  return <pre className={styles.raw}>{indentJson(text)}</pre>;
}
