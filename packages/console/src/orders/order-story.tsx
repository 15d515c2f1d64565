import type { ReactNode } from 'react';
import { ActionButton } from '../actions/action-button.tsx';
import { attemptProblem } from '../format/attempt-words.ts';
import { notificationHoldWords, type Tone } from '../format/words.ts';
import { Notice } from '../parts/notice.tsx';
import { Time } from '../parts/time.tsx';
import { endStory, moneyStory, operatorStepWords } from './money-words.ts';
import { resend } from './order-actions.tsx';
import type { OrderDetail, OrderNotification } from './order-detail.ts';

/** What an operator wants to know first: why the order failed, where its money is, or why its merchant was not notified. */
export function OrderStory({ order, onDone }: { order: OrderDetail; onDone(): void }) {
  const notifications = order.notifications.edges.map(({ node }) => node);
  const undelivered = notifications.filter(({ state }) => state !== 'DELIVERED');
  return (
    <>
      <MoneyStory order={order} />
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

/** How the order ended, where its money is, and what is to be done. */
function MoneyStory({ order }: { order: OrderDetail }): ReactNode {
  const end = endStory(order);
  const money = moneyStory(order);
  const { nextStep, held, out } = order.money;
  const isWork = held !== '0.00' || out !== '0.00' || nextStep === 'CLEAR_UP_CONTRADICTION';
  if (end === null && money === null && !isWork) return null;
  const step = isWork ? operatorStepWords[nextStep] : null;
  return (
    <Notice tone={isWork ? 'warn' : order.status === 'FAILED' ? 'bad' : 'info'}>
      {[end, money, step === null ? null : `${step}.`].filter((one) => one !== null).join(' ')}
    </Notice>
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
