import { orderFilter } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { CountryEnum, OrderKindEnum, OrderStatusEnum } from '../enums.ts';

const OrderFilter = builder.inputType('OrderFilter', {
  description: 'Which orders. What is left out does not narrow; all that is given has to fit.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Of these merchants, at most 100.' }),
    kind: t.field({ type: OrderKindEnum, description: 'Payins or payouts.' }),
    statuses: t.field({ type: [OrderStatusEnum], description: 'With one of these statuses.' }),
    countries: t.field({ type: [CountryEnum], description: 'Of one of these countries.' }),
    channelIds: t.stringList({ description: 'Carried by one of these channels.' }),
    createdFrom: t.field({ type: 'DateTime', description: 'Created at this moment or later.' }),
    createdTo: t.field({ type: 'DateTime', description: 'Created before this moment.' }),
    amountFrom: t.field({ type: 'Decimal', description: 'Of this amount or more, whatever the currency.' }),
    amountTo: t.field({ type: 'Decimal', description: 'Of this amount or less, whatever the currency.' }),
    merchantOrderNo: t.string({ description: "With this number of the merchant's own." }),
    orderNo: t.string({ description: 'With this service order number.' }),
  }),
});

/** The argument `filter` of a connection of orders, checked by the domain's own form. */
export const orderFilterArg = {
  type: OrderFilter,
  description: 'Which orders; left out: all that you may see.',
  validate: { schema: orderFilter },
} as const;
