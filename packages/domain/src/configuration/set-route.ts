import type { Route } from '../core/routing.ts';
import type { Within } from '../ledger/index.ts';

/** Sets the merchant's route number `routeNo`: which of its orders may go through which channel. Gives the route before. */
export async function setRoute(
  within: Within,
  merchantId: string,
  routeNo: number,
  route: Pick<Route, 'kind' | 'channelId'> & Partial<Route>,
): Promise<Route | null> {
  const { rows } = await within.database.pool.query<{ before: Route | null }>(
    `with old as (${routeSql})
     insert into route (merchant_id, route_no, kind, bank_code, channel_id, mode, min_amount, max_amount, priority, weight)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (merchant_id, route_no) do update set kind = excluded.kind, bank_code = excluded.bank_code, channel_id = excluded.channel_id,
       mode = excluded.mode, min_amount = excluded.min_amount, max_amount = excluded.max_amount, priority = excluded.priority,
       weight = excluded.weight, enabled = true
     returning (select row_to_json(old) from old) as before`,
    [
      merchantId,
      routeNo,
      route.kind,
      route.bankCode ?? null,
      route.channelId,
      route.mode ?? 'upstream',
      route.minAmount ?? '0.01',
      route.maxAmount ?? '999999999999.99',
      route.priority ?? 100,
      route.weight ?? 1,
    ],
  );
  return rows[0]?.before ?? null;
}

/** The route of merchant $1 and number $2, as it is told of. */
export const routeSql = `select kind, bank_code as "bankCode", channel_id as "channelId", mode, min_amount::text as "minAmount",
  max_amount::text as "maxAmount", priority, weight, enabled from route where merchant_id = $1 and route_no = $2`;
