import { pageOrders } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { SortDirection } from '../enums.ts';
import { wantedMerchant } from '../merchant/merchant-type.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { orderFilterArg } from './order-filter.ts';
import { OrderInterface } from './order-type.ts';

const types = ['Order', 'Payin', 'Payout'];

builder.queryField('orders', (t) =>
  t.connection({
    type: OrderInterface,
    description:
      'Orders, by time of creation. A page can have fewer entries than requested although more follow: check `hasNextPage`.',
    authScopes: { operator: true },
    args: {
      filter: t.arg(orderFilterArg),
      sort: t.arg({ type: SortDirection, description: 'Sort order. Default: NEWEST_FIRST.' }),
    },
    resolve: async (_root, { filter, sort, ...page }, context) => {
      const { domain, selection } = context;
      const options = {
        oldestFirst: sort === 'oldest',
        only: selection.properties(...types),
        // Joined by the same statement, without a loader for each row.
        ...(types.some((type) => selection.has(type, 'merchant')) && { merchant: wantedMerchant(context) }),
      };
      return connectionOf(await pageOrders(domain, scopeOf(context), filter ?? {}, pageOf('orders', page), options));
    },
  }),
);
