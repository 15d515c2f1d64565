import type { Route } from '../core/routing.ts';
import type { Within } from '../ledger/index.ts';
import { routeSql } from './set-route.ts';

/** Takes a merchant's route away; orders that went through it go on. Gives the route; null if the merchant has none of this number. */
export async function removeRoute(within: Within, merchantId: string, routeNo: number): Promise<Route | null> {
  const { rows } = await within.database.pool.query<{ before: Route }>(
    `with old as (${routeSql}) delete from route where merchant_id = $1 and route_no = $2 returning (select row_to_json(old) from old) as before`,
    [merchantId, routeNo],
  );
  return rows[0]?.before ?? null;
}
