import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type Connection, connection } from '../graphql/connection.ts';
import { SLOW_TEXT, useSlow } from '../state/slow.ts';
import { useStore } from '../state/store.ts';
import styles from './shell.module.css';

/** Interruptions shorter than this are not shown. */
const SHOW_WORSE_AFTER_MS = 2_000;

const STATES = {
  offline: { tone: 'bad', label: 'Offline', help: 'The service cannot be reached. The console tries again by itself.' },
  lost: {
    tone: 'warn',
    label: 'Reconnecting',
    help: 'Live updates are interrupted. The console tries again by itself.',
  },
  slow: { tone: 'warn', label: 'Busy', help: SLOW_TEXT },
  live: { tone: 'good', label: 'Live', help: 'What you see moves by itself.' },
  still: { tone: 'idle', label: 'Connected', help: 'This page has no live updates.' },
} as const;

/** Shows whether the page receives changes, and the problem if it does not. */
export function ConnectionState() {
  const isSlow = useSlow();
  const now = stateOf(useStore(connection), isSlow);
  const [shown, setShown] = useState(now);
  useEffect(() => {
    const isWorse = now === 'lost' || now === 'offline';
    const timer = setTimeout(() => setShown(now), isWorse ? SHOW_WORSE_AFTER_MS : 300);
    return () => clearTimeout(timer);
  }, [now]);
  const { tone, label, help } = STATES[shown];
  return (
    <Tooltip label={help}>
      <span className={styles.connection} data-tone={tone} data-state={shown} role="status">
        {label}
      </span>
    </Tooltip>
  );
}

function stateOf({ isReachable, open, lost }: Connection, isSlow: boolean): keyof typeof STATES {
  if (!isReachable) return 'offline';
  if (lost > 0) return 'lost';
  if (isSlow) return 'slow';
  return open > 0 ? 'live' : 'still';
}
