import { type Order, payUrlOf } from '@tidegate/domain';
import { loadOrders } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';
import type { ApiContext } from '../graphql/context.ts';
import { keyOf, loaded } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';
import { personal } from '../graphql/personal.ts';
import { orderRefOf } from './order-of-number.ts';
import { OrderInterface } from './order-type.ts';
import { TaskType } from './task-type.ts';

/** Orders of one kind by merchant and number. A payin's number does not find a payout, whatever the global id says. */
const ofKind = (kind: Order['kind']) => ({
  id: { resolve: ({ merchantId, orderNo }: Order) => keyOf(merchantId, orderNo) },
  load: async (keys: string[], context: ApiContext) => {
    const orders = await loadOrders(context.domain, scopeOf(context), keys.map(orderRefOf));
    return loaded(orders.map((order) => (order?.kind === kind ? order : null)));
  },
});

builder.loadableNode('Payin', {
  ...ofKind('payin'),
  description: "Money collected from a payer. It is credited to the merchant's wallet on completion.",
  interfaces: [OrderInterface],
  fields: (t) => ({
    checkoutUrl: t.string({
      nullable: true,
      authScopes: personal,
      description:
        'Page where the payer pays. Anyone with this URL can open it. Merchants receive it as `payUrl`, except in China. Hidden from viewers.',
      resolve: ({ orderNo }, _, { domain }) => payUrlOf(domain, orderNo),
    }),
  }),
});

builder.loadableNode('Payout', {
  ...ofKind('payout'),
  description: "Money sent to a payee. It is frozen in the merchant's wallet until the payout ends.",
  interfaces: [OrderInterface],
  fields: (t) => ({
    task: t.field({
      type: TaskType,
      nullable: true,
      description: 'Claim and proof of payment on the task market (Pakistan). Null: not claimed.',
      resolve: ({ task }) => task,
    }),
  }),
});
