import type { ReactNode } from 'react';
import { ActionButton } from '../actions/action-button.tsx';
import { attemptProblem } from '../format/attempt-words.ts';
import { notificationHoldWords, type Tone } from '../format/words.ts';
import { Notice } from '../parts/notice.tsx';
import { Time } from '../parts/time.tsx';
import { resend } from './order-actions.tsx';
import type { OrderDetail, OrderNotification } from './order-detail.ts';

/** What an operator wants to know first: why the order failed, or why its merchant was not notified. */
export function OrderStory({ order, onDone }: { order: OrderDetail; onDone(): void }) {
  const notifications = order.notifications.edges.map(({ node }) => node);
  const undelivered = notifications.filter(({ state }) => state !== 'DELIVERED');
  return (
    <>
      {order.failureReason !== null && <Notice tone="bad">The order failed: {order.failureReason}</Notice>}
      {undelivered.map((notification) => (
        <Notice
          key={notification.id}
          tone={toneOf(notification)}
          action={
            notification.attemptCount > 0 && <ActionButton action={resend(order)} size="compact-xs" onDone={onDone} />
          }
        >
          <NotDelivered notification={notification} />
        </Notice>
      ))}
    </>
  );
}

function toneOf({ state, attempts }: OrderNotification): Tone {
  if (state === 'EXHAUSTED') return 'bad';
  return attempts.length === 0 ? 'info' : 'warn';
}

function NotDelivered({ notification }: { notification: OrderNotification }): ReactNode {
  const { state, attempts, attemptCount, host, heldBy, nextAttemptAt } = notification;
  const last = attempts.toSorted((a, b) => a.attempt - b.attempt).at(-1);
  const tries = attemptCount === 1 ? '1 attempt' : `${attemptCount} attempts`;
  const isOver = state === 'EXHAUSTED';
  return (
    <>
      {isOver
        ? `The merchant was not notified: ${tries} failed, and no more follow.`
        : 'The merchant is not notified yet'}
      {!isOver && (attemptCount === 0 ? ': the first attempt is due. ' : `: ${tries} failed. `)}
      {last && ` Last: ${host} ${attemptProblem(last)}. `}
      {heldBy && `Held: ${notificationHoldWords[heldBy]}. `}
      {nextAttemptAt && !isOver && (
        <>
          Next attempt <Time at={nextAttemptAt} />.
        </>
      )}
    </>
  );
}
