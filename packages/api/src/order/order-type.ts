import { failureInWords, type Order } from '@tidegate/domain';
import { CountryEnum, CurrencyEnum, OrderKindEnum, OrderStatusEnum, RouteModeEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';

/** An order of either kind. */
export const OrderInterface = builder.interfaceRef<Order>('Order').implement({
  description: 'A payin or a payout. Amounts are in `currency`.',
  interfaces: [builder.nodeInterfaceRef()],
  resolveType: ({ kind }) => (kind === 'payin' ? 'Payin' : 'Payout'),
  fields: (t) => ({
    orderNo: t.exposeString('orderNo', { description: 'Service order number. Begins with PI or PO.' }),
    merchantId: t.exposeString('merchantId', { description: 'Merchant number.' }),
    merchantOrderNo: t.exposeString('merchantOrderNo', { description: 'Order number of the merchant.' }),
    kind: t.expose('kind', { type: OrderKindEnum, description: 'Payin or payout.' }),
    country: t.expose('country', { type: CountryEnum, description: 'Country whose rules apply to the order.' }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'Currency of all amounts of the order.' }),
    status: t.expose('status', { type: OrderStatusEnum, description: 'Current status.' }),
    isLive: t.exposeBoolean('isLive', {
      description: 'Whether it is about real money: true in production, false in a sandbox. It never changes.',
    }),
    amount: t.expose('amount', {
      type: 'Decimal',
      description: 'Amount that the payer pays or the payee receives, in `currency`.',
    }),
    feeAmount: t.expose('feeAmount', {
      type: 'Decimal',
      description: 'Fee by the rule at creation, in `currency`.',
    }),
    netAmount: t.expose('netAmount', {
      type: 'Decimal',
      description: 'Change of the wallet, in `currency`. Payin: amount − fee. Payout: amount + fee.',
    }),
    paidAmount: t.expose('paidAmount', {
      type: 'Decimal',
      description: 'Amount received so far that counts for the order, in `currency`. Excludes late and wrong payments.',
    }),
    mode: t.expose('mode', { type: RouteModeEnum, description: 'How the order is processed.' }),
    bankCode: t.exposeString('bankCode', {
      nullable: true,
      description: 'Bank code sent by the merchant.',
    }),
    channelId: t.exposeString('channelId', { description: 'Id of the upstream channel.' }),
    channelRef: t.exposeString('channelRef', {
      nullable: true,
      description: 'Order number at the channel. Null until the channel accepts the order.',
    }),
    notifyUrl: t.exposeString('notifyUrl', {
      nullable: true,
      description: 'URL for its notifications. Null: none are sent.',
    }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      description: 'Reason if the order failed or timed out, else null. The merchant reads it too.',
    }),
    nextAction: t.string({
      nullable: true,
      description: 'Next action of a worker: submit, poll or expire. Null: none.',
      resolve: ({ nextAction }) => nextAction,
    }),
    nextActionAt: t.expose('nextActionAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Due time of the next action. Null: none.',
    }),
    attempt: t.exposeInt('attempt', { description: 'Number of attempts at the next action so far.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of completion. Null if not completed.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when an unpaid payin expires. Null if the order does not expire.',
    }),
  }),
});

builder.interfaceField(OrderInterface, 'failure', (t) =>
  t.string({
    nullable: true,
    description:
      '`failureReason` in words for operators: a payin that was paid in part was `not paid in full in time`. Lists and files show this.',
    resolve: failureInWords,
  }),
);
