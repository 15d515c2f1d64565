import type { Order } from '../core/order.ts';
import type { Domain } from '../open-domain.ts';
import { aReport, paid, placePayin } from './payins.ts';
import { by, placePayout } from './payouts.ts';

export const endings = ['paid', 'failed', 'late', 'open', 'double'] as const;

/** A payin or payout with the given ending, created the given time ago. */
export async function live(
  domain: Domain,
  shop: { merchantId: string; country: 'IN' | 'PK' },
  ending: (typeof endings)[number],
  isPayout: boolean,
  ago: number,
): Promise<void> {
  const place = isPayout ? placePayout : placePayin;
  const order = await place(domain, shop.merchantId, shop.country);
  await createdBefore(domain, order, ago);
  if (ending === 'paid' || ending === 'double') await domain.commit(aReport(order, paid('P1')));
  if (ending === 'double') await domain.commit(aReport(order, paid('P2')));
  if (ending === 'failed' || ending === 'late')
    await domain.commit(aReport(order, { outcome: 'failed', reason: 'no' }));
  if (ending !== 'late' || isPayout) return;
  await domain.commit(aReport(order, paid('P1')));
  const { rows } = await domain.database.pool.query<{ no: number }>(
    'select case_no::float8 as no from money_case where merchant_id = $1 and order_no = $2',
    [order.merchantId, order.orderNo],
  );
  const caseNo = rows[0]?.no ?? 0;
  await domain.commit({
    type: 'creditCase',
    merchantId: order.merchantId,
    caseNo,
    orderNo: order.orderNo,
    by: by('anna'),
  });
}

/** A paid payin, created at this moment, exact to the millisecond. */
export async function paidAt(
  domain: Domain,
  shop: { merchantId: string; country: 'IN' | 'PK' },
  at: number,
): Promise<void> {
  const order = await placePayin(domain, shop.merchantId, shop.country);
  await createdBefore(domain, order, order.createdAt - at);
  await domain.commit(aReport(order, paid('P1')));
}

async function createdBefore(domain: Domain, { merchantId, orderNo }: Order, ago: number): Promise<void> {
  const client = await domain.database.pool.connect();
  try {
    await client.query("set session_replication_role = 'replica'");
    await client.query(
      "update orders set created_at = created_at - $3 * interval '1 ms' where merchant_id = $1 and order_no = $2",
      [merchantId, orderNo, ago],
    );
  } finally {
    await client.query('reset session_replication_role');
    client.release();
  }
}
