import type { Domain } from './domain.ts';

/**
 * Ends a merchant's public key at `endsAt` (null: now), by the database's clock; until then it verifies beside the others
 * (decisions 2.5). False if the merchant has no such key.
 */
export async function retireMerchantKey(
  domain: Domain,
  merchantId: string,
  keyId: string,
  endsAt: Date | null,
): Promise<boolean> {
  const { rowCount } = await domain.database.pool.query(
    'update merchant_key set expires_at = coalesce($3, clock_timestamp()) where merchant_id = $1 and key_id = $2',
    [merchantId, keyId, endsAt],
  );
  return rowCount === 1;
}
