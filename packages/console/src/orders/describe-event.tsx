import type { ReactNode } from 'react';
import { attemptProblem } from '../format/attempt-words.ts';
import { caseKindWords, caseStateWords } from '../format/case-words.ts';
import { formatDuration } from '../format/time.ts';
import { orderStatusWords, plainWords, type Tone, triggerLabel } from '../format/words.ts';
import type { TimelinePageFragment } from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Raw } from '../parts/timeline.tsx';
import { wordOfPayment } from './money-words.ts';
import styles from './order.module.css';
import type { OrderDetail } from './order-detail.ts';
import { accountName } from './order-money.tsx';

type Event = TimelinePageFragment['edges'][number]['node'];

interface Described {
  tone: Tone;
  title: ReactNode;
  more?: ReactNode;
}

type Describe<Name extends Event['__typename']> = (
  event: Extract<Event, { __typename: Name }>,
  order: OrderDetail,
) => Described;

/** An event of the timeline in plain words. */
export function describeEvent(event: Event, order: OrderDetail): Described {
  const describe = DESCRIBE[event.__typename] as (event: Event, order: OrderDetail) => Described;
  return describe(event, order);
}

const DESCRIBE: { [Name in Event['__typename']]: Describe<Name> } = {
  OrderMoved: ({ from, to, trigger, actor, detail }) => ({
    tone: orderStatusWords[to].tone,
    title: from === null ? 'Order created' : orderStatusWords[to].label,
    more: [`${triggerLabel(trigger)}, by ${actor}`, detail].filter(Boolean).join(' · '),
  }),
  PaymentReceived: ({ payment }, { kind, currency }) => ({
    tone: wordOfPayment(payment, kind).tone,
    title: (
      <>
        {payment.direction === 'BACK' ? 'Return' : 'Payment'} of <Money amount={payment.amount} currency={currency} />{' '}
        reported
      </>
    ),
    more: [payment.channelId, payment.reference, `now ${wordOfPayment(payment, kind).label.toLowerCase()}`]
      .filter(Boolean)
      .join(' · '),
  }),
  TransferBooked: ({ transfer: { amount, currency, debit, credit } }) => ({
    tone: 'idle',
    title: (
      <>
        Transfer of <Money amount={amount} currency={currency} />
      </>
    ),
    more: `${accountName(debit)} → ${accountName(credit)}`,
  }),
  WalletChanged: ({ entry: { type, availableChange, frozenChange, availableAfter, entryNo } }, { currency }) => ({
    tone: 'idle',
    title: `Wallet: ${plainWords(type).toLowerCase()}`,
    more: (
      <>
        Entry {entryNo} · available <Money amount={availableChange} currency={currency} />, frozen{' '}
        <Money amount={frozenChange} currency={currency} /> · then <Money amount={availableAfter} currency={currency} />{' '}
        available
      </>
    ),
  }),
  CaseOpened: ({ case: { caseNo, kind, state, amount, currency } }, { merchantId }) => ({
    tone: 'warn',
    title: `Case opened: ${caseKindWords[kind].toLowerCase()}`,
    more: (
      <ScreenLink to={`/cases/${merchantId}/${caseNo}`}>
        Case {caseNo}, <Money amount={amount} currency={currency} />, now {caseStateWords[state].label.toLowerCase()}
      </ScreenLink>
    ),
  }),
  OperatorActed: ({ record: { action, actor, approver, reason, auditNo } }) => ({
    tone: 'info',
    title: `${plainWords(action)}, by ${actor}`,
    more: `${reason}${approver ? ` · approved by ${approver}` : ''} · audit record ${auditNo}`,
  }),
  ChannelCalled: ({ channelId, operation, outcome, durationMs, detail }) => ({
    tone: /fail|error|timeout|reject|unknown/i.test(outcome) ? 'warn' : 'idle',
    title: `${channelId}: ${plainWords(operation).toLowerCase()} → ${plainWords(outcome).toLowerCase()}`,
    more: (
      <>
        {formatDuration(durationMs)}
        {detail && (
          <details className={styles.details}>
            <summary>Message of the channel</summary>
            <Raw text={detail} />
          </details>
        )}
      </>
    ),
  }),
  NotificationAttempted: ({ status, attempt: { attempt, httpStatus, error, durationMs } }) => {
    const isGood = httpStatus === 200 && error === null;
    const answer = `the host ${attemptProblem({ httpStatus, error })}`;
    return {
      tone: isGood ? 'good' : 'bad',
      title: isGood ? 'Merchant notified' : `Notification attempt ${attempt} failed`,
      more: `${orderStatusWords[status].label} · ${answer} · ${formatDuration(durationMs)}`,
    };
  },
};
