import { createOperator, setChannel } from '@tidegate/domain/admin';
import { loadLastRefunds, loadMoneyCases, unrestricted } from '@tidegate/domain/lists';
import { type OperatorContext, requestOperation } from '@tidegate/domain/operators';
import { aMerchant, makeDue, openTestDomain, orderNow, placePayin, type TestDomain } from '@tidegate/domain/testing';
import { pollOrder, submitOrder } from '@tidegate/domain/worker';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { adaptersFor } from '@tidegate/upstream';
import { fakes } from '@tidegate/upstream/fakes';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { JobContext } from './job.ts';
import { refund } from './refund.ts';

// The worker's refund job returns a payment of a wrong amount through the provider's adapter.

let fixture: TestDomain;
let fake: { url: string; close(): Promise<void> };
beforeAll(async () => {
  const provider = fakes.find((one) => one.provider === 'razorpay');
  if (!provider) throw new Error('there is no fake of Razorpay');
  const { account, credentials } = provider.makeAccount();
  fake = await provider.start({ port: 0, account, timeFactor: 0.02 });
  const limiter = { take: async () => true };
  const adapters = adaptersFor({ environment: 'sandbox', allowCidrs: ['127.0.0.0/8'], limiter });
  fixture = await openTestDomain((await createTestDatabase()).url, { adapters });
  await setChannel(fixture.domain, { channelId: 'razorpay', adapter: 'razorpay', baseUrl: fake.url, credentials });
});
afterAll(async () => {
  await fixture.close();
  await fake.close();
});

test('a payment of a wrong amount is refunded through Razorpay once, and closes its case', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'IN');
  const money = { amount: '120.14', feeAmount: '0.00', netAmount: '120.14' };
  const order = await placePayin(domain, merchantId, 'IN', { channelId: 'razorpay', ...money });
  await submitOrder(domain, order);
  const named = { merchantId, caseNo: 1 };
  const found = await vi.waitFor(
    async () => {
      await makeDue(domain, await orderNow(domain, order));
      await pollOrder(domain, order);
      const [opened] = await loadMoneyCases(domain, unrestricted, [named]);
      if (!opened) throw new Error('no case yet');
      return opened;
    },
    { timeout: 10_000, interval: 50 },
  );
  expect(found).toMatchObject({
    kind: 'wrong_amount',
    channelId: 'razorpay',
    reference: expect.stringMatching(/^pay_/),
  });

  const rights = { operatorId: 'ann', roles: ['finance'], countries: null, merchantIds: null } as const;
  const operator: OperatorContext = { ...rights, tokenId: null, signIn: 'token' };
  await createOperator(domain, { ...rights, name: 'Ann' });
  const request = { ...named, way: 'by_channel' };
  const decided = await requestOperation(domain, operator, 'returnCase', request, 'the payer asked for it');
  expect(decided).toMatchObject({ ok: true, state: 'executed' });
  const context = { domain } as JobContext;
  const back = await vi.waitFor(
    async () => {
      const [current] = await loadLastRefunds(domain, unrestricted, [named]);
      if (!current) throw new Error('no refund');
      if (current.state === 'refunded') return current;
      await domain.database.pool.query('update refund set next_action_at = clock_timestamp() where refund_no = $1', [
        current.refundNo,
      ]);
      // Every job comes twice.
      await Promise.all([refund(context, current), refund(context, current)]);
      throw new Error(`still ${current.state}`);
    },
    { timeout: 10_000, interval: 50 },
  );
  expect(back).toMatchObject({ refundRef: expect.stringMatching(/^rfnd_/), amount: found.amount, sends: 1 });
  expect(await loadMoneyCases(domain, unrestricted, [named])).toMatchObject([{ state: 'returned' }]);
  const { rows } = await domain.database.pool.query(
    "select amount::text, credit from transfer where merchant_id = $1 and debit = 'suspense'",
    [merchantId],
  );
  expect(rows).toEqual([{ amount: found.amount, credit: 'channel:razorpay' }]);
  // The provider has one refund, of the whole payment.
  const calls = async () => {
    const { rows } = await domain.database.pool.query<{ operation: string }>(
      "select operation from channel_call where merchant_id = $1 and operation like '%refund' order by started_at",
      [merchantId],
    );
    return rows.map(({ operation }) => operation);
  };
  await expect.poll(async () => (await calls()).length).toBeGreaterThan(1);
  expect((await calls()).filter((operation) => operation === 'refund')).toHaveLength(1);
});
