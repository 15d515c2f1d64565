import { countryRules } from '@tidegate/domain';
import { refuse } from '../request/envelope.ts';
import type { Endpoint } from './endpoint.ts';
import { readOrderNumber } from './order-number.ts';

/** Query payout (contract "Query payout"; decisions 5.8). Another merchant's order is not found. */
export const payoutQuery: Endpoint = {
  method: 'GET',
  path: '/payout/query',
  async answer(domain, { merchant, fields }) {
    const rules = countryRules[merchant.country].payout;
    if (!rules) return refuse('operation_not_available');
    const by = readOrderNumber(fields);
    if ('failure' in by) return by;
    const order = await domain.findOrder(merchant.merchantId, 'payout', by);
    if (!order) return refuse('order_not_found');
    return { ok: true, data: rules.queryView(order), orderNo: order.orderNo };
  },
};
