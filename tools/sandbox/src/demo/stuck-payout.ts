import { BlockList } from 'node:net';
import { countryRules, createPayout } from '@tidegate/domain';
import { bookWallet, createMerchant, generateServiceKey, setFeeRule, setRoute } from '@tidegate/domain/admin';
import type { Demo, OpenWork } from './demo-orders.ts';
import { inThePast } from './past-domain.ts';

const merchantId = 'IN10011';
const hoursAgo = 3;

/**
 * Leaves a payout, of a merchant of its own, that has waited for its channel for hours. Done once per sandbox. `keys`
 * is the sandbox's key ring.
 */
export async function leaveStuckPayout({ sandbox, admin }: Demo, keys: string): Promise<OpenWork[]> {
  const query = 'query ($merchantId: String!) { merchant(merchantId: $merchantId) { merchantId } }';
  const found = await admin<{ merchant: object | null }>(query, { merchantId });
  if (found.merchant !== null) return [];
  const at = new Date(Date.now() - hoursAgo * 3_600_000);
  const orderNo = await inThePast({ databaseUrl: sandbox.databaseUrl, keys, at }, async (domain) => {
    await createMerchant(domain, { merchantId, name: 'Nilgiri Tea', country: 'IN' }, await generateServiceKey());
    await setFeeRule(domain, merchantId, { kind: 'payout', percent: '1.0', fixed: '5.00' });
    await setRoute(domain, merchantId, 1, { kind: 'payout', channelId: 'sandbox' });
    const topUp = { merchantId, entry: 'TOP_UP', amount: '25000.00', bookingNo: 'OPENING', remark: 'opening' } as const;
    const booked = await bookWallet(domain, topUp, { actor: 'sandbox', approver: 'npm run demo', reason: 'opening' });
    if (!booked.ok) throw new Error(`the wallet of ${merchantId}: ${booked.rejection}`);
    const { demo, payout } = countryRules.IN;
    // The sandbox upstream never answers for an amount with these cents.
    const fields = { merchantOrderNo: `${merchantId}-1`, amount: '9800.23', ...demo.payout };
    const parsed = payout?.parse(fields, { acceptDeprecatedFields: false, notifyNetworks: new BlockList() });
    const profile = await domain.directory.merchant(merchantId);
    if (!parsed?.ok || !profile) throw new Error('the payout cannot be read');
    const created = await createPayout(domain, profile, parsed.request);
    if (!created.ok) throw new Error(`the payout of ${merchantId}: ${created.rejection}`);
    return created.value.orderNo;
  });
  return [{ where: 'Stuck payouts', what: `IN payout, without an answer for ${hoursAgo} hours`, orderNo }];
}
