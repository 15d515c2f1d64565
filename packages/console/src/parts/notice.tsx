import { Button } from '@mantine/core';
import type { CombinedError } from '@urql/core';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import type { Tone } from '../format/words.ts';
import { messageOf } from '../graphql/client.ts';
import { reconnected } from '../graphql/connection.ts';
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

/** Why something could not be read, with a button to try again. It tries by itself when the API is reachable again. */
export function Failure({ error, retry }: { error: CombinedError; retry(): void }) {
  const again = useEffectEvent(retry);
  useEffect(() => reconnected.subscribe(again), []);
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
