import type { ReactNode } from 'react';
import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { allowedAction, blockedBy, SecondOperator } from '../actions/allowed.tsx';
import { requestedOutcome } from '../approvals/requested-outcome.ts';
import { orderStatusWords } from '../format/words.ts';
import {
  type Action as ActionName,
  CancelOrderDocument,
  ConfirmFundsDocument,
  type PayoutOutcome,
  RefreshOrderDocument,
  ResendNotificationDocument,
  ResolvePayoutDocument,
} from '../generated/documents.generated.ts';
import { afterResend } from '../notifications/after-resend.ts';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import type { OrderDetail } from './order-detail.ts';

/** What an action has to know of an order. */
type ShownOrder = Pick<OrderDetail, 'orderNo' | 'amount' | 'currency' | 'status' | 'channelId' | 'version' | 'actions'>;

/** What can be done with an order, by what the API says of it. Those that are not possible now say why. */
export function orderActions(order: OrderDetail): Action[] {
  const known: Partial<Record<ActionName, Action>> = {
    RESEND_NOTIFICATION: resend(order),
    REFRESH_ORDER: refreshOrder(order),
    CANCEL_ORDER: cancel(order),
    CONFIRM_FUNDS: confirm(order),
    RESOLVE_PAYOUT: resolvePayout(order),
  };
  const applies = (name: string) => allowedAction(order.actions, name as ActionName) !== null;
  return Object.entries(known).flatMap(([name, action]) => (applies(name) ? [action] : []));
}

function whatItIs(order: ShownOrder, more: Readonly<Record<string, ReactNode>> = {}) {
  return (
    <Before
      values={{
        Order: <span className="mono">{order.orderNo}</span>,
        Amount: <Money amount={order.amount} currency={order.currency} />,
        Status: <Status word={orderStatusWords[order.status]} />,
        ...more,
      }}
    />
  );
}

const secondOperator = ({ actions, currency }: ShownOrder, name: ActionName) => ({
  'Second operator': <SecondOperator action={allowedAction(actions, name)} currency={currency} />,
});

const afterStatus = ({ order }: { order: { status: keyof typeof orderStatusWords } | null }) =>
  order ? `Done. The order is now: ${orderStatusWords[order.status].label.toLowerCase()}.` : 'Done.';

/** Sends the notifications of an order again. */
export function resend(order: OrderDetail): Action {
  const { edges } = order.notifications;
  return defineAction({
    operation: 'resendNotification',
    document: ResendNotificationDocument,
    label: 'Send the notification again',
    subject: order.orderNo,
    before: whatItIs(order, { 'Will be sent': `${edges.length} to ${edges[0]?.node.url ?? ''}` }),
    expectedVersion: order.version,
    toInput: (_values, requestKey) => ({ orderNo: order.orderNo, requestKey }),
    after: (result) => afterResend(result, 'The attempts appear on this page.'),
    blocked: blockedBy(order.actions, 'RESEND_NOTIFICATION'),
  });
}

/** Asks the channel of an order now. */
export function refreshOrder(order: ShownOrder): Action {
  return defineAction({
    operation: 'refreshOrder',
    document: RefreshOrderDocument,
    label: 'Ask the channel now',
    subject: order.orderNo,
    before: whatItIs(order, { Channel: order.channelId }),
    expectedVersion: order.version,
    toInput: () => ({ orderNo: order.orderNo }),
    after: afterStatus,
    blocked: blockedBy(order.actions, 'REFRESH_ORDER'),
  });
}

function cancel(order: OrderDetail): Action {
  return defineAction({
    operation: 'cancelOrder',
    document: CancelOrderDocument,
    label: 'Cancel the order',
    isDangerous: true,
    subject: order.orderNo,
    before: whatItIs(order, { 'Will be': <Status word={orderStatusWords.CANCELLED} /> }),
    expectedVersion: order.version,
    toInput: () => ({ orderNo: order.orderNo }),
    after: afterStatus,
    blocked: blockedBy(order.actions, 'CANCEL_ORDER'),
  });
}

function confirm(order: OrderDetail): Action {
  return defineAction({
    operation: 'confirmFunds',
    document: ConfirmFundsDocument,
    label: 'Confirm funds',
    subject: order.orderNo,
    before: whatItIs(order, {
      'Paid so far': <Money amount={order.paidAmount} currency={order.currency} />,
      ...secondOperator(order, 'CONFIRM_FUNDS'),
    }),
    fields: [
      { name: 'amount', label: `Amount received (${order.currency})`, initial: order.amount },
      { name: 'reference', label: 'Bank reference' },
    ],
    expectedVersion: order.version,
    toInput: ({ amount = '', reference = '' }) => ({ orderNo: order.orderNo, amount, reference }),
    after: afterStatus,
    blocked: blockedBy(order.actions, 'CONFIRM_FUNDS'),
  });
}

/** Ends a stuck payout by evidence. */
export function resolvePayout(order: ShownOrder): Action {
  return defineAction({
    operation: 'resolvePayout',
    document: ResolvePayoutDocument,
    label: 'Settle or fail by evidence',
    isDangerous: true,
    subject: order.orderNo,
    before: whatItIs(order, secondOperator(order, 'RESOLVE_PAYOUT')),
    expectedVersion: order.version,
    submit: (values) => requestedOutcome('resolvePayout', values, order),
    fields: [
      {
        name: 'outcome',
        label: 'What happened at the bank',
        kind: 'choice',
        options: [
          { value: 'PAID', label: 'The payee has the money' },
          { value: 'FAILED', label: 'The money was not sent' },
        ],
      },
      { name: 'evidence', label: 'Evidence', kind: 'area' },
    ],
    toInput: ({ outcome, evidence = '' }) => ({ orderNo: order.orderNo, evidence, outcome: outcome as PayoutOutcome }),
    after: afterStatus,
    blocked: blockedBy(order.actions, 'RESOLVE_PAYOUT'),
  });
}
