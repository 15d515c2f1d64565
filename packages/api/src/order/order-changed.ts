import type { Order } from '@tidegate/domain';
import { orderFilter } from '@tidegate/domain/lists';
import { mayAccess } from '@tidegate/domain/operators';
import { z } from 'zod';
import { CountryEnum, OrderKindEnum, OrderStatusEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { given } from '../graphql/given.ts';
import { listenAs } from '../graphql/listen-as.ts';
import { OrderInterface } from './order-type.ts';

const { merchantIds, statuses, countries, channelIds, orderNo, kind } = orderFilter.shape;
const kinds = z.array(kind.unwrap().unwrap()).min(1).max(2);
builder.subscriptionField('orderChanged', (t) =>
  t.field({
    type: OrderInterface,
    description:
      'Orders whose status changes. Several changes in quick succession may be sent as one. For earlier changes use `orders`.',
    authScopes: { operator: true },
    args: {
      merchantIds: t.arg.stringList({
        description: 'Any of these merchants, at most 100. Default: all that you may see.',
        validate: given(merchantIds),
      }),
      kinds: t.arg({
        type: [OrderKindEnum],
        description: 'Payins or payouts. Default: both.',
        validate: { schema: kinds },
      }),
      statuses: t.arg({
        type: [OrderStatusEnum],
        description: 'Reached any of these statuses. Default: all.',
        validate: given(statuses),
      }),
      countries: t.arg({
        type: [CountryEnum],
        description: 'Any of these countries. Default: all.',
        validate: given(countries),
      }),
      channelIds: t.arg.stringList({
        description: 'Routed to any of these channels. Default: all.',
        validate: given(channelIds),
      }),
      orderNo: t.arg.string({ description: 'Only this service order number.', validate: given(orderNo) }),
    },
    subscribe: (_root, wanted, context) =>
      listenAs(context, 'order', async (changes, operator) => {
        // A change that does not match the filter need not be read.
        const worthReading = changes.filter(
          ({ merchantId, orderNo, status }) =>
            isAmong(merchantId, wanted.merchantIds) &&
            isAmong(merchantId, operator.merchantIds) &&
            isAmong(status, wanted.statuses) &&
            (wanted.orderNo ?? orderNo) === orderNo,
        );
        const orders = await context.live.readOrders(worthReading);
        return orders.filter(
          (order): order is Order =>
            order !== null &&
            mayAccess(operator, order) &&
            isAmong(order.kind, wanted.kinds) &&
            isAmong(order.status, wanted.statuses) &&
            isAmong(order.country, wanted.countries) &&
            isAmong(order.channelId, wanted.channelIds),
        );
      }),
    resolve: (order) => order,
  }),
);

function isAmong<Value>(value: Value, wanted: readonly Value[] | null | undefined): boolean {
  return wanted?.includes(value) ?? true;
}
