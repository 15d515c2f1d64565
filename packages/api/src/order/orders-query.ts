import { type Order, pageOrders } from '@tidegate/domain';
import { builder } from '../builder.ts';
import type { ApiContext } from '../context.ts';
import { SortDirection } from '../enums.ts';
import { readMerchants } from '../merchant/merchant-type.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { orderFilterArg } from './order-filter.ts';
import { OrderInterface, type OrderRow } from './order-type.ts';

builder.queryField('orders', (t) =>
  t.connection({
    type: OrderInterface,
    description: 'Orders by the time of their creation. A page can be short, even empty, although more follows.',
    authScopes: { operator: true },
    args: {
      filter: t.arg(orderFilterArg),
      sort: t.arg({ type: SortDirection, description: 'The newest first unless told otherwise.' }),
    },
    resolve: async (_root, { filter, sort, ...page }, context) => {
      const options = {
        oldestFirst: sort === 'oldest',
        only: context.selection.properties('Order', 'Payin', 'Payout'),
      };
      const { domain } = context;
      const found = await pageOrders(domain, scopeOf(context), filter ?? {}, pageOf('orders', page), options);
      return connectionOf({ ...found, rows: await withMerchants(context, found.rows) });
    },
  }),
);

/** A page asks for the same merchants again and again: they are read at once, and no loader is asked for each row. */
async function withMerchants(context: ApiContext, orders: readonly Order[]): Promise<OrderRow[]> {
  const { selection } = context;
  const isSelected = ['Order', 'Payin', 'Payout'].some((type) => selection.has(type, 'merchant'));
  if (!isSelected) return [...orders];
  const ids = [...new Set(orders.map(({ merchantId }) => merchantId))];
  const merchants = await readMerchants(context, ids);
  const byId = new Map(ids.map((id, i) => [id, merchants[i]]));
  return orders.map((order) => {
    const merchant = byId.get(order.merchantId);
    return merchant ? { ...order, merchant } : order;
  });
}
