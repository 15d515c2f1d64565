import { readTimelines, type TimelineEvent } from '@tidegate/domain/lists';
import { AuditRecordType } from '../audit/audit-record-type.ts';
import { CaseType } from '../case/case-type.ts';
import { OrderStatusEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { childPages } from '../graphql/child-pages.ts';
import { personal } from '../graphql/personal.ts';
import { AttemptType } from '../notification/notification-type.ts';
import { refOfOrder } from '../order/order-of-number.ts';
import { OrderInterface } from '../order/order-type.ts';
import { PaymentType } from '../order/payment-type.ts';
import { TransferType } from '../wallet/transfers-query.ts';
import { WalletEntryType } from '../wallet/wallet-entry-type.ts';

type EventOf<Type extends TimelineEvent['type']> = Extract<TimelineEvent, { type: Type }>;

const typeNames: Record<TimelineEvent['type'], string> = {
  transition: 'OrderMoved',
  payment: 'PaymentReceived',
  transfer: 'TransferBooked',
  wallet_entry: 'WalletChanged',
  case: 'CaseOpened',
  operator_action: 'OperatorActed',
  channel_call: 'ChannelCalled',
  notification_attempt: 'NotificationAttempted',
};

const TimelineEventInterface = builder.interfaceRef<TimelineEvent>('TimelineEvent').implement({
  description: 'An event of an order.',
  resolveType: ({ type }) => typeNames[type],
  fields: (t) => ({ at: t.expose('at', { type: 'DateTime', description: 'Time when it happened or began.' }) }),
});

const eventRef = <Type extends TimelineEvent['type']>(type: Type) => builder.objectRef<EventOf<Type>>(typeNames[type]);
const interfaces = [TimelineEventInterface];

eventRef('transition').implement({
  description: 'The order changed its status.',
  interfaces,
  fields: (t) => ({
    from: t.field({
      type: OrderStatusEnum,
      nullable: true,
      description: 'Previous status. Null: the order was new.',
      resolve: ({ event }) => (event.from === 'new' ? null : event.from),
    }),
    to: t.field({ type: OrderStatusEnum, description: 'New status.', resolve: ({ event }) => event.to }),
    trigger: t.string({ description: 'Event that caused the change.', resolve: ({ event }) => event.trigger }),
    actor: t.string({ description: 'Who or what caused the change.', resolve: ({ event }) => event.actor }),
    detail: t.string({
      nullable: true,
      description: 'Further details, as written by an operator or channel. Hidden from viewers.',
      authScopes: personal,
      resolve: ({ event }) => event.detail,
    }),
  }),
});
eventRef('payment').implement({
  description: 'The channel reported a payment.',
  interfaces,
  fields: (t) => ({
    payment: t.field({ type: PaymentType, description: 'The payment.', resolve: ({ event }) => event }),
  }),
});
eventRef('transfer').implement({
  description: 'A ledger transfer of the order.',
  interfaces,
  fields: (t) => ({
    transfer: t.field({ type: TransferType, description: 'The transfer.', resolve: ({ event }) => event }),
  }),
});
eventRef('wallet_entry').implement({
  description: "A change of the merchant's wallet.",
  interfaces,
  fields: (t) => ({
    entry: t.field({ type: WalletEntryType, description: 'The wallet entry.', resolve: ({ event }) => event }),
  }),
});
eventRef('case').implement({
  description: 'A case was opened for the order.',
  interfaces,
  fields: (t) => ({
    case: t.field({ type: CaseType, description: 'The case in its current state.', resolve: ({ event }) => event }),
  }),
});
eventRef('operator_action').implement({
  description: 'An action of an operator on the order.',
  interfaces,
  fields: (t) => ({
    record: t.field({
      type: AuditRecordType,
      description: 'Audit record of the action.',
      resolve: ({ event }) => event,
    }),
  }),
});
eventRef('channel_call').implement({
  description: 'A call to the channel, or a callback from it.',
  interfaces,
  fields: (t) => ({
    channelId: t.string({ description: 'Channel id of the call.', resolve: ({ event }) => event.channelId }),
    operation: t.string({
      description: 'Kind of call: create, query, cancel, callback, refund or query_refund.',
      resolve: ({ event }) => event.operation,
    }),
    outcome: t.string({ description: 'Outcome of the call.', resolve: ({ event }) => event.outcome }),
    detail: t.string({
      nullable: true,
      description: 'Original message of the channel. Hidden from viewers.',
      authScopes: personal,
      resolve: ({ event }) => event.detail,
    }),
    durationMs: t.int({ description: 'Duration in milliseconds.', resolve: ({ event }) => event.durationMs }),
  }),
});
eventRef('notification_attempt').implement({
  description: 'An attempt to notify the merchant.',
  interfaces,
  fields: (t) => ({
    status: t.field({
      type: OrderStatusEnum,
      description: 'Order status that the notification reports.',
      resolve: ({ event }) => event.status,
    }),
    attempt: t.field({ type: AttemptType, description: 'The attempt.', resolve: ({ event }) => event }),
  }),
});

builder.interfaceField(OrderInterface, 'timeline', (t) =>
  t.connection({
    type: TimelineEventInterface,
    description: 'All events of the order, oldest first.',
    resolve: childPages('timeline', readTimelines, refOfOrder),
  }),
);
