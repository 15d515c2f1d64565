import type { OrderWithMerchant } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { CountryEnum, CurrencyEnum, OrderKindEnum, OrderStatusEnum, RouteModeEnum } from '../enums.ts';

/** An order of either kind. */
export const OrderInterface = builder.interfaceRef<OrderWithMerchant>('Order').implement({
  description: 'A payin or a payout. All its amounts are in its `currency`.',
  interfaces: [builder.nodeInterfaceRef()],
  resolveType: ({ kind }) => (kind === 'payin' ? 'Payin' : 'Payout'),
  fields: (t) => ({
    orderNo: t.exposeString('orderNo', { description: 'The service order number, begins with PI or PO.' }),
    merchantId: t.exposeString('merchantId', { description: 'The number of the merchant that the order belongs to.' }),
    merchantOrderNo: t.exposeString('merchantOrderNo', { description: "The merchant's own number of the order." }),
    kind: t.expose('kind', { type: OrderKindEnum, description: 'Whether money comes in or goes out.' }),
    country: t.expose('country', { type: CountryEnum, description: 'The country whose rules the order follows.' }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'The currency of every amount of the order.' }),
    status: t.expose('status', { type: OrderStatusEnum, description: 'Where the order stands now.' }),
    amount: t.expose('amount', {
      type: 'Decimal',
      description: 'What the payer pays or the payee gets, in `currency`.',
    }),
    feeAmount: t.expose('feeAmount', {
      type: 'Decimal',
      description: 'The fee of the service, in `currency`, by the terms at creation.',
    }),
    netAmount: t.expose('netAmount', {
      type: 'Decimal',
      description:
        'Payin: amount − fee, what the wallet gets. Payout: amount + fee, what the wallet gives. In `currency`.',
    }),
    paidAmount: t.expose('paidAmount', {
      type: 'Decimal',
      description: 'What has come in so far and counts for the order, in `currency`; late or wrong money is not in it.',
    }),
    mode: t.expose('mode', { type: RouteModeEnum, description: 'How it is carried.' }),
    bankCode: t.exposeString('bankCode', {
      nullable: true,
      description: 'The bank or wallet that the merchant named.',
    }),
    channelId: t.exposeString('channelId', { description: 'The upstream channel that carries the order.' }),
    channelRef: t.exposeString('channelRef', {
      nullable: true,
      description: "The channel's own number of the order; null until it took it.",
    }),
    notifyUrl: t.exposeString('notifyUrl', {
      nullable: true,
      description: 'Where its notifications go; null: nowhere.',
    }),
    failureReason: t.exposeString('failureReason', {
      nullable: true,
      description: 'Why it failed or timed out; null on every other order.',
    }),
    nextAction: t.string({
      nullable: true,
      description: 'What a worker is to do next: submit, poll or expire; null: nothing.',
      resolve: ({ nextAction }) => nextAction,
    }),
    nextActionAt: t.expose('nextActionAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When that is due.',
    }),
    attempt: t.exposeInt('attempt', { description: 'How often that was tried already.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it changed last.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was completed; null unless it is.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When an unpaid payin ends; null where nothing expires.',
    }),
  }),
});
