import { orderFilter } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { CountryEnum, OrderKindEnum, OrderStatusEnum } from '../enums.ts';

const OrderFilter = builder.inputType('OrderFilter', {
  description: 'Filter for orders. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Any of these merchants, at most 100.' }),
    kind: t.field({ type: OrderKindEnum, description: 'Payins or payouts.' }),
    statuses: t.field({ type: [OrderStatusEnum], description: 'In any of these statuses.' }),
    countries: t.field({ type: [CountryEnum], description: 'Any of these countries.' }),
    channelIds: t.stringList({ description: 'Routed to any of these channels.' }),
    createdFrom: t.field({ type: 'DateTime', description: 'Created at or after this time.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Created before this time.' }),
    amountFrom: t.field({ type: 'Decimal', description: 'Minimum amount, in any currency.' }),
    amountTo: t.field({ type: 'Decimal', description: 'Maximum amount, in any currency.' }),
    merchantOrderNo: t.string({ description: 'Order number of the merchant, exact match.' }),
    orderNo: t.string({ description: 'Service order number, exact match.' }),
  }),
});

/** The argument `filter` of a connection of orders, checked by the domain's schema. */
export const orderFilterArg = {
  type: OrderFilter,
  description: 'Filter. Default: all orders that you may see.',
  validate: { schema: orderFilter },
} as const;
