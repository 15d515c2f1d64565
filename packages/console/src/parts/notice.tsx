import { Button } from '@mantine/core';
import type { CombinedError } from '@urql/core';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { messageOf } from '../format/error-words.ts';
import type { Tone } from '../format/words.ts';
import { isTransient } from '../graphql/client.ts';
import { reconnected } from '../graphql/connection.ts';
import { afterPause } from '../state/pause.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './parts.module.css';

const icons = { good: 'check', info: 'info', idle: 'info', warn: 'alert', bad: 'alert' } as const satisfies Record<
  Tone,
  IconName
>;

/** A message within a screen. Bad ones are read out at once. */
export function Notice({ tone, action, children }: { tone: Tone; action?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={icons[tone]} />
      <div className={styles.noticeText}>{children}</div>
      {action}
    </div>
  );
}

/** How long a failure waits before it tries again, in milliseconds: twice as long each time, up to the second. */
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 15_000;

/**
 * Why something could not be read, with a button to try again. It tries by itself when the API is reachable again, and from time to time if the
 * same request may succeed later. So a page whose only request was refused by a busy service does not stay empty.
 */
export function Failure({ error, retry }: { error: CombinedError; retry(): void }) {
  const failures = useRef(0);
  const again = useEffectEvent(retry);
  useEffect(() => reconnected.subscribe(again), []);
  useEffect(() => {
    if (!isTransient(error)) return undefined;
    const waitMs = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** failures.current);
    failures.current += 1;
    return afterPause(waitMs, again);
  }, [error]);
  const action = (
    <Button size="compact-xs" variant="default" onClick={retry}>
      Try again
    </Button>
  );
  return (
    <Notice tone="bad" action={action}>
      {messageOf(error)}
    </Notice>
  );
}
