import type { Within } from '../ledger/index.ts';

/** Until when a key verifies, in Unix ms, before and after it was retired; null: without end. */
export interface KeyEnds {
  before: number | null;
  after: number;
}

/**
 * Ends a merchant's public key at `endsAt` (Unix ms; null: now), by the database's clock; until then it verifies beside the others
 * (decisions 2.5). Null if the merchant has no such key.
 */
export async function retireMerchantKey(
  within: Within,
  merchantId: string,
  keyId: string,
  endsAt: number | null,
): Promise<KeyEnds | null> {
  const { rows } = await within.database.pool.query<KeyEnds>(
    `with old as (select expires_at from merchant_key where merchant_id = $1 and key_id = $2)
     update merchant_key set expires_at = coalesce(to_timestamp($3::float8 / 1000), clock_timestamp())
     where merchant_id = $1 and key_id = $2
     returning (select round(extract(epoch from expires_at) * 1000)::float8 from old) as before,
       round(extract(epoch from expires_at) * 1000)::float8 as after`,
    [merchantId, keyId, endsAt],
  );
  return rows[0] ?? null;
}
