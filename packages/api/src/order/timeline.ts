import { readTimelines, type TimelineEvent } from '@tidegate/domain/lists';
import { AuditRecordType } from '../audit/audit-record-type.ts';
import { builder } from '../builder.ts';
import { CaseType } from '../case/case-type.ts';
import { childPages } from '../child-pages.ts';
import { OrderStatusEnum } from '../enums.ts';
import { AttemptType } from '../notification/notification-type.ts';
import { personal } from '../personal.ts';
import { TransferType } from '../wallet/transfers-query.ts';
import { WalletEntryType } from '../wallet/wallet-entry-type.ts';
import { refOfOrder } from './order-of-number.ts';
import { OrderInterface } from './order-type.ts';
import { PaymentType } from './payment-type.ts';

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
  description: 'Something that happened to an order.',
  resolveType: ({ type }) => typeNames[type],
  fields: (t) => ({ at: t.expose('at', { type: 'DateTime', description: 'When it happened, or began.' }) }),
});

const eventRef = <Type extends TimelineEvent['type']>(type: Type) => builder.objectRef<EventOf<Type>>(typeNames[type]);
const interfaces = [TimelineEventInterface];

eventRef('transition').implement({
  description: 'The order moved from one status to another.',
  interfaces,
  fields: (t) => ({
    from: t.field({
      type: OrderStatusEnum,
      nullable: true,
      description: 'Where it stood; null: it was new.',
      resolve: ({ event }) => (event.from === 'new' ? null : event.from),
    }),
    to: t.field({ type: OrderStatusEnum, description: 'Where it went.', resolve: ({ event }) => event.to }),
    trigger: t.string({ description: 'What made it move.', resolve: ({ event }) => event.trigger }),
    actor: t.string({ description: 'Who did.', resolve: ({ event }) => event.actor }),
    detail: t.string({
      nullable: true,
      description: "What else is known of it, in an operator's or a channel's own words. Not for viewers.",
      authScopes: personal,
      resolve: ({ event }) => event.detail,
    }),
  }),
});
eventRef('payment').implement({
  description: 'Its channel told of a payment.',
  interfaces,
  fields: (t) => ({
    payment: t.field({ type: PaymentType, description: 'The payment.', resolve: ({ event }) => event }),
  }),
});
eventRef('transfer').implement({
  description: 'Money moved in the ledger.',
  interfaces,
  fields: (t) => ({
    transfer: t.field({ type: TransferType, description: 'The transfer.', resolve: ({ event }) => event }),
  }),
});
eventRef('wallet_entry').implement({
  description: "The merchant's wallet changed.",
  interfaces,
  fields: (t) => ({
    entry: t.field({ type: WalletEntryType, description: 'The line of the wallet.', resolve: ({ event }) => event }),
  }),
});
eventRef('case').implement({
  description: 'A case was opened.',
  interfaces,
  fields: (t) => ({
    case: t.field({ type: CaseType, description: 'The case as it is now.', resolve: ({ event }) => event }),
  }),
});
eventRef('operator_action').implement({
  description: 'An operator did something about it.',
  interfaces,
  fields: (t) => ({
    record: t.field({ type: AuditRecordType, description: 'What they did.', resolve: ({ event }) => event }),
  }),
});
eventRef('channel_call').implement({
  description: 'We asked its channel, or the channel told us.',
  interfaces,
  fields: (t) => ({
    channelId: t.string({ description: 'The channel.', resolve: ({ event }) => event.channelId }),
    operation: t.string({ description: 'create, query, cancel or callback.', resolve: ({ event }) => event.operation }),
    outcome: t.string({ description: 'What came of it.', resolve: ({ event }) => event.outcome }),
    detail: t.string({
      nullable: true,
      description: "What was said, in the channel's own words. Not for viewers.",
      authScopes: personal,
      resolve: ({ event }) => event.detail,
    }),
    durationMs: t.int({ description: 'How long it took, in milliseconds.', resolve: ({ event }) => event.durationMs }),
  }),
});
eventRef('notification_attempt').implement({
  description: 'It was tried to tell the merchant.',
  interfaces,
  fields: (t) => ({
    status: t.field({
      type: OrderStatusEnum,
      description: 'The status that was to be told.',
      resolve: ({ event }) => event.status,
    }),
    attempt: t.field({ type: AttemptType, description: 'The attempt.', resolve: ({ event }) => event }),
  }),
});

builder.interfaceField(OrderInterface, 'timeline', (t) =>
  t.connection({
    type: TimelineEventInterface,
    description: 'Everything that happened to it in one list, the oldest first.',
    resolve: childPages('timeline', readTimelines, refOfOrder),
  }),
);
