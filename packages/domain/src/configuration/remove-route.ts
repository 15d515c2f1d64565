import { RouteRow } from '../database/entities/merchant.ts';
import type { Within } from '../ledger/index.ts';

/** Takes a merchant's route away; orders that went through it go on. Gives the route; null if the merchant has none of this number. */
export async function removeRoute(within: Within, merchantId: string, routeNo: number): Promise<object | null> {
  const em = within.database.unitOfWork();
  const route = await em.findOne(RouteRow, { merchant: merchantId, routeNo });
  if (route) await em.remove(route).flush();
  return route;
}
