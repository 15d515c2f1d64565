import type { Route } from '../core/routing.ts';
import type { Domain } from './domain.ts';

/** Sets the merchant's route number `routeNo`: which of its orders may go through which channel. */
export async function setRoute(
  domain: Domain,
  merchantId: string,
  routeNo: number,
  route: Pick<Route, 'kind' | 'channelId'> & Partial<Route>,
): Promise<void> {
  await domain.database.pool.query(
    `insert into route (merchant_id, route_no, kind, bank_code, channel_id, mode, min_amount, max_amount, priority, weight)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (merchant_id, route_no) do update set kind = excluded.kind, bank_code = excluded.bank_code, channel_id = excluded.channel_id,
       mode = excluded.mode, min_amount = excluded.min_amount, max_amount = excluded.max_amount, priority = excluded.priority,
       weight = excluded.weight, enabled = true`,
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
}
