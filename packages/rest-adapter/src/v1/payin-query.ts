import { countryRules } from '@tidegate/domain';
import { refuse } from '../request/envelope.ts';
import type { Endpoint } from './endpoint.ts';
import { readOrderNumber } from './order-number.ts';
import { urlsOf } from './payin-urls.ts';

/** Query payin (contract "Query payin"; decisions 5.8). Another merchant's order is not found. */
export const payinQuery: Endpoint = {
  method: 'GET',
  path: '/payin/query',
  async answer(domain, { merchant, fields }) {
    const by = readOrderNumber(fields);
    if ('failure' in by) return by;
    const order = await domain.findOrder(merchant.merchantId, 'payin', by);
    if (!order) return refuse('order_not_found');
    const { orderNo } = order;
    const data = countryRules[merchant.country].payin.queryView(order, urlsOf(domain, orderNo));
    return { ok: true, data, orderNo };
  },
};
