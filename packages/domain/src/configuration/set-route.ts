import type { Route } from '../core/routing.ts';
import { RouteRow } from '../database/entities/merchant.ts';
import type { ChangeTransaction } from '../ledger/index.ts';

/**
 * Sets the channel for some of a merchant's orders. A disabled route is enabled again. Absent fields get their default.
 */
export async function setRoute(
  within: ChangeTransaction,
  merchantId: string,
  routeNo: number,
  route: Pick<Route, 'kind' | 'channelId'> & Partial<Route>,
): Promise<object> {
  const { kind, bankCode = null, channelId, mode = 'upstream', minAmount = '0.01' } = route;
  const { maxAmount = '999999999999.99', priority = 100, weight = 1 } = route;
  const em = within.database.unitOfWork();
  const key = { merchant: merchantId, routeNo };
  const settings = { kind, bankCode, channel: channelId, mode, minAmount, maxAmount, priority, weight, enabled: true };
  const found = await em.findOne(RouteRow, key);
  const set = found ? em.assign(found, settings) : em.create(RouteRow, { ...key, ...settings });
  await em.persist(set).flush();
  return set;
}
