import type { Within } from '../ledger/index.ts';

export type MerchantStatus = 'active' | 'disabled';

/**
 * Lets a merchant's requests in, or refuses them all (40301); orders that are open go on. Gives how it was before; null if there is
 * no such merchant.
 */
export async function setMerchantStatus(
  within: Within,
  merchantId: string,
  status: MerchantStatus,
): Promise<MerchantStatus | null> {
  const { rows } = await within.database.pool.query<{ before: MerchantStatus }>(
    `with old as (select status from merchant where merchant_id = $1)
     update merchant set status = $2 where merchant_id = $1 returning (select status from old) as before`,
    [merchantId, status],
  );
  return rows[0]?.before ?? null;
}
