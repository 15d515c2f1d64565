import { loadLastRefunds } from '../cases/load-refunds.ts';
import { workOnRefund } from '../cases/work-on-refund.ts';
import type { RefundRef } from '../core/commands.ts';
import type { Refund } from '../core/refund.ts';
import { unrestricted } from '../lists/scope.ts';
import type { Domain } from '../open-domain.ts';
import { aMerchant } from './index.ts';
import { aReport, paid, placePayin } from './payins.ts';

export type NamedCase = Pick<RefundRef, 'merchantId' | 'caseNo'>;

/** A case of money that came after the end of its order. */
export async function lateCase(domain: Domain, amount = '100.00'): Promise<NamedCase> {
  const { merchantId } = await aMerchant(domain, 'TH');
  const order = await placePayin(domain, merchantId, 'TH', { amount, netAmount: amount, feeAmount: '0.00' });
  await domain.commit(aReport(order, { outcome: 'failed', reason: 'no' }));
  await domain.commit(aReport(order, paid('P1', amount)));
  return { merchantId, caseNo: 1 };
}

/** The last refund of a case. */
export async function refundOf(domain: Domain, named: NamedCase): Promise<Refund> {
  const [refund] = await loadLastRefunds(domain, unrestricted, [named]);
  if (!refund) throw new Error('there is no refund');
  return refund;
}

/** The next step of a refund by a worker, as if its time had come. Default: the last refund of the case. */
export async function workNow(domain: Domain, named: NamedCase, refundNo?: string): Promise<string> {
  const { merchantId } = named;
  const ref = { merchantId, refundNo: refundNo ?? (await refundOf(domain, named)).refundNo };
  await domain.database.pool.query(
    'update refund set next_action_at = clock_timestamp() where merchant_id = $1 and refund_no = $2 and next_action is not null',
    [merchantId, ref.refundNo],
  );
  return workOnRefund(domain, ref);
}
