import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { requestOperation } from '../../approvals/request-operation.ts';
import { workOnRefund } from '../../cases/work-on-refund.ts';
import type { Domain } from '../../open-domain.ts';
import { submitOrder } from '../../orders/work-on-order.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { anOperator } from '../../testing/operators.ts';
import { aFundedMerchant, placePayout } from '../../testing/payouts.ts';
import { lateCase, refundOf } from '../../testing/refunds.ts';
import { openSettlementsByChannel, reconcilesIndia } from '../../testing/settlements-by-channel.ts';
import { workOnSettlement } from './work-on-settlement.ts';

// A worker that was paused while it claimed work: its lease may be over when it goes on.

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  await reconcilesIndia(fixture.domain);
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => fixture.close());

const { aSent } = openSettlementsByChannel(() => fixture);

/** The domain of a worker that is paused for so long while a claim is committed. */
function pausedFor(ms: number): Domain {
  const { domain } = fixture;
  const clock = performance.now.bind(performance);
  let paused = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + paused);
  const commit: Domain['commit'] = async (command) => {
    const done = await domain.commit(command);
    if (command.type.startsWith('claim')) paused += ms;
    return done;
  };
  return { ...domain, commit };
}
const sent = (): number => fixture.channel.calls.length + fixture.channel.refunds.length;

async function aPayout(): Promise<(worker: Domain) => Promise<string>> {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN');
  const order = await placePayout(fixture.domain, merchantId, 'IN');
  return (worker) => submitOrder(worker, order);
}
async function aSettlement(): Promise<(worker: Domain) => Promise<string>> {
  const ref = await aSent();
  return (worker) => workOnSettlement(worker, ref);
}
async function aRefund(): Promise<(worker: Domain) => Promise<string>> {
  const named = await lateCase(fixture.domain);
  const finance = await anOperator(fixture.domain, ['finance']);
  const input = { ...named, way: 'by_channel' };
  expect(await requestOperation(fixture.domain, finance, 'returnCase', input, 'a test')).toMatchObject({ ok: true });
  const { merchantId, refundNo } = await refundOf(fixture.domain, named);
  return (worker) => workOnRefund(worker, { merchantId, refundNo });
}

test.each([
  ['payout', aPayout],
  ['settlement', aSettlement],
  ['refund', aRefund],
])('a %s is not sent with a claim that was answered when its lease was almost over', async (_, start) => {
  const [late, inTime] = [await start(), await start()];
  const before = sent();
  expect([await late(pausedFor(20_000)), sent() - before]).toEqual(['not_due', 0]);
  vi.restoreAllMocks();
  expect([await inTime(pausedFor(10_000)), sent() - before]).toEqual(['done', 1]);
});
