import { orderFilter } from '@tidegate/domain/lists';
import { CountryEnum, CurrencyEnum, NotificationStateEnum, OrderKindEnum, OrderStatusEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';

export const OrderFilter = builder.inputType('OrderFilter', {
  description: 'Filter for orders. Filters are optional and combined with AND.',
  fields: (t) => ({
    search: t.string({
      description:
        'Free text, at most 128 characters: an order number or its beginning, a channel reference, a bank reference. With a role that may see personal data also an account, a phone number or a name.',
    }),
    merchantIds: t.stringList({ description: 'Any of these merchants, at most 100.' }),
    kind: t.field({ type: OrderKindEnum, description: 'Payins or payouts.' }),
    statuses: t.field({ type: [OrderStatusEnum], description: 'In any of these statuses.' }),
    countries: t.field({ type: [CountryEnum], description: 'Any of these countries.' }),
    currencies: t.field({ type: [CurrencyEnum], description: 'Any of these currencies.' }),
    channelIds: t.stringList({ description: 'Routed to any of these channels.' }),
    bankCodes: t.stringList({ description: 'Sent with any of these bank codes, exact match.' }),
    failureReasons: t.stringList({ description: 'Any of these failure reasons, exact match.' }),
    createdFrom: t.field({ type: 'DateTime', description: 'Created at or after this time.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Created before this time.' }),
    completedFrom: t.field({ type: 'DateTime', description: 'Completed at or after this time.' }),
    completedTo: t.field({ type: 'DateTime', description: 'Completed before this time.' }),
    amountFrom: t.field({ type: 'Decimal', description: 'Minimum amount, in any currency.' }),
    amountTo: t.field({ type: 'Decimal', description: 'Maximum amount, in any currency.' }),
    notificationStates: t.field({
      type: [NotificationStateEnum],
      description: 'With a notification in any of these states.',
    }),
    merchantOrderNo: t.string({ description: 'Order number of the merchant, exact match.' }),
    merchantOrderNoStartsWith: t.string({
      description: 'Beginning of the order number of the merchant, at least 3 characters.',
    }),
    orderNo: t.string({ description: 'Service order number, exact match.' }),
    orderNoStartsWith: t.string({ description: 'Beginning of the service order number, e.g. PI01K.' }),
    channelRef: t.string({ description: 'Order number at the channel, exact match.' }),
    bankReference: t.string({
      description: 'Reference of a payment at the bank (UTR), reported by a channel or given as proof.',
    }),
    account: t.string({
      description: 'Account or wallet number of the payer or payee. Spaces and signs are ignored. Personal data.',
    }),
    phone: t.string({
      description: 'Phone number of the payer or payee, with or without the dial code. Personal data.',
    }),
    partyName: t.string({
      description: 'Beginning of the name of the payer or payee, or of its last word. Personal data.',
    }),
  }),
});

/** The argument `filter` of a connection of orders, checked by the domain's schema. */
export const orderFilterArg = {
  type: OrderFilter,
  description:
    'Filter. Default: all orders that you may see. Personal parts are for roles that may see personal data; others are refused.',
  validate: { schema: orderFilter },
} as const;
