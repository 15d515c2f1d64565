import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { submitOrder } from '../orders/work-on-order.ts';
import { aMerchant, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { placePayin } from '../testing/payins.ts';
import { aFundedMerchant, placePayout } from '../testing/payouts.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => fixture.close());

test.each(['payin', 'payout'] as const)(
  'a %s to a forbidden address has no answer, and is logged and counted',
  async (kind) => {
    const { domain, channel } = fixture;
    const errors = vi.spyOn(domain.log, 'error');
    const counted: string[] = [];
    domain.observer.channelForbidden = (channelId) => void counted.push(channelId);
    const detail = 'forbidden_address 10.0.0.1:443';
    channel.answers.create = () => ({ outcome: 'unknown', why: 'no_answer', detail, isForbidden: true });
    const { merchantId } = kind === 'payin' ? await aMerchant(domain, 'CN') : await aFundedMerchant(domain, 'IN');
    const order = await (kind === 'payin'
      ? placePayin(domain, merchantId, 'CN')
      : placePayout(domain, merchantId, 'IN'));
    await submitOrder(domain, order);
    // As after a silent channel (decisions 5.3), never as after a refusal.
    expect(await orderNow(domain, order)).toMatchObject(
      kind === 'payin'
        ? { status: 'failed', failureReason: 'the payment channel did not answer in time' }
        : { status: 'processing', failureReason: null },
    );
    const logged = { channelId: 'fake', orderNo: order.orderNo, operation: 'create', detail: `not sent: ${detail}` };
    expect(errors).toHaveBeenCalledWith(logged, expect.stringContaining('CHANNEL_ALLOW_CIDRS'));
    expect(counted).toEqual(['fake']);
  },
);

test('a call that was not sent does not count as a failure of the channel', async () => {
  const { domain, channel } = fixture;
  const health = vi.spyOn(domain.channelHealth, 'record');
  const routing = vi.spyOn(domain.channelRouting, 'record');
  const { merchantId } = await aMerchant(domain, 'CN');
  const noAnswer = { outcome: 'unknown', why: 'no_answer', detail: 'x' } as const;
  for (const [answer, times] of [
    [{ ...noAnswer, isUnsent: true }, 0],
    [{ ...noAnswer, isForbidden: true }, 0],
    [noAnswer, 1],
  ] as const) {
    channel.answers.create = answer;
    await submitOrder(domain, await placePayin(domain, merchantId, 'CN'));
    expect([health.mock.calls.length, routing.mock.calls.length]).toEqual([times, times]);
  }
});
