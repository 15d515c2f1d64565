import type { Domain } from './domain.ts';

/** Lets a merchant's requests in, or refuses them all (40301); orders that are open go on. False if there is no such merchant. */
export async function setMerchantStatus(
  domain: Domain,
  merchantId: string,
  status: 'active' | 'disabled',
): Promise<boolean> {
  const { rowCount } = await domain.database.pool.query('update merchant set status = $2 where merchant_id = $1', [
    merchantId,
    status,
  ]);
  return rowCount === 1;
}
