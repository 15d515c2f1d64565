import type { Domain } from './domain.ts';

/** Takes a merchant's route away; orders that went through it go on. False if the merchant has none of this number. */
export async function removeRoute(domain: Domain, merchantId: string, routeNo: number): Promise<boolean> {
  const { rowCount } = await domain.database.pool.query('delete from route where merchant_id = $1 and route_no = $2', [
    merchantId,
    routeNo,
  ]);
  return rowCount === 1;
}
