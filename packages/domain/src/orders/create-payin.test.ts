import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import type { MerchantProfile } from '../configuration/read-merchants.ts';
import { setRoute } from '../configuration/set-route.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { ApplyReport } from '../core/commands.ts';
import { aMerchant, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { createPayin } from './create-payin.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const profileOf = async (merchantId: string): Promise<MerchantProfile> =>
  (await fixture.domain.directory.merchant(merchantId)) as MerchantProfile;

test('a TH payin is processing after its channel accepted it, and credited once when paid', async () => {
  const { domain } = fixture;
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

test('a merchant whose payins hang gets no further slot of the channel; others do, and its next route is used', async () => {
  const bounded = await openTestDomain((await createTestDatabase()).url, { createsPerChannel: 3 });
  const { domain, channel } = bounded;
  try {
    await domain.database.pool.query(
      `insert into channel (channel_id, adapter, base_url, payin_expiry_seconds) select 'next', adapter, base_url, payin_expiry_seconds from channel`,
    );
    const { merchantId } = await aMerchant(domain, 'TH');
    const { merchantId: withNext } = await aMerchant(domain, 'TH');
    await setRoute(domain, withNext, 3, { kind: 'payin', channelId: 'next', priority: 200 });
    let n = 0;
    const create = async (of: string) =>
      createPayin(domain, (await domain.directory.merchant(of)) as MerchantProfile, {
        merchantOrderNo: `B-${++n}`,
        amount: '100.00',
        bankCode: 'QR',
        notifyUrl: null,
        details: {},
      });
    const quick: ChannelAnswer = { outcome: 'accepted', channelRef: 'R' };
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    channel.answers.create = () => held.then(() => quick);
    const hanging = [create(merchantId), create(merchantId)];
    await expect.poll(() => channel.calls).toHaveLength(2);
    expect(await create(merchantId)).toEqual({
      ok: false,
      rejection: 'too_many_requests',
      retryAfterMs: expect.any(Number),
    });
    const { rows } = await domain.database.pool.query('select count(*)::integer as count from orders');
    expect(rows).toEqual([{ count: 2 }]);
    // The last slot is for a merchant that holds none.
    const others = create(withNext);
    await expect.poll(() => channel.calls).toHaveLength(3);
    channel.answers.create = quick;
    expect(await create(withNext)).toMatchObject({ ok: true, value: { channelId: 'next', status: 'processing' } });
    letGo();
    for (const created of await Promise.all([...hanging, others]))
      expect(created).toMatchObject({ ok: true, value: { channelId: 'fake', status: 'processing' } });
    expect(await create(merchantId)).toMatchObject({ ok: true });
    channel.answers.create = () => Promise.reject(new Error('the adapter broke'));
    for (let failed = 0; failed < 3; failed++)
      expect(await create(merchantId)).toMatchObject({ rejection: 'upstream_timeout' });
  } finally {
    await bounded.close();
  }
});
