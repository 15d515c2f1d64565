import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApplyReport } from '../core/commands.ts';
import type { MerchantProfile } from '../store/directory.ts';
import { aMerchant, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { audit } from './audit/audit.ts';
import { createPayin } from './create-payin.ts';

let ground: TestDomain;
beforeAll(async () => {
  ground = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => ground.close());

const profileOf = async (merchantId: string): Promise<MerchantProfile> =>
  (await ground.domain.directory.merchant(merchantId)) as MerchantProfile;

test('a TH payin is processing once its channel took it, and credited once when paid', async () => {
  const { domain } = ground;
  const { merchantId } = await aMerchant(domain, 'TH');
  const created = await createPayin(domain, await profileOf(merchantId), {
    merchantOrderNo: 'M-1',
    amount: '100.00',
    bankCode: 'QR',
    notifyUrl: 'http://127.0.0.1:9/n',
    details: {},
  });
  if (!created.ok) throw new Error(created.rejection);
  expect(created.value).toMatchObject({ status: 'processing', feeAmount: '2.50', netAmount: '97.50' });
  const ref = { merchantId, orderNo: created.value.orderNo };
  const paid: ApplyReport = {
    type: 'applyReport',
    ref,
    channelId: 'fake',
    during: 'callback',
    answer: { outcome: 'paid', payments: [{ reference: 'P1', amount: '100.00' }] },
  };
  await Promise.all([domain.commit(paid), domain.commit(paid), domain.commit(paid)]);
  expect(await orderNow(domain, ref)).toMatchObject({ status: 'completed', nextAction: null });
  const { rows } = await domain.database.pool.query(
    'select available, last_entry_no from wallet where merchant_id = $1',
    [merchantId],
  );
  expect(rows).toEqual([{ available: '97.50', last_entry_no: '1' }]);
  const report = await audit(domain);
  expect(report.violations).toEqual([]);
  expect(report.checked).toMatchObject({ orders: 1, entries: 1, transfers: 2, notifications: 1 });
});
