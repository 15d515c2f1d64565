import { RouteRow } from '../database/entities/merchant.ts';
import type { ChangeTransaction } from '../ledger/index.ts';

/**
 * Removes a merchant's route. Its open orders continue. Returns the route, or null if the merchant has none of this
 * number.
 */
export async function removeRoute(
  within: ChangeTransaction,
  merchantId: string,
  routeNo: number,
): Promise<object | null> {
  const em = within.database.unitOfWork();
  const route = await em.findOne(RouteRow, { merchant: merchantId, routeNo });
  if (route) await em.remove(route).flush();
  return route;
}
