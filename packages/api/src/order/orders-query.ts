import { pageOrders } from '@tidegate/domain';
import { builder } from '../builder.ts';
import { SortDirection } from '../enums.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { orderFilterArg } from './order-filter.ts';
import { OrderInterface } from './order-type.ts';

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
      return connectionOf(await pageOrders(domain, scopeOf(context), filter ?? {}, pageOf('orders', page), options));
    },
  }),
);
