import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import type { Approval } from '../core/approval.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { readWallet } from '../ledger/index.ts';
import { openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { anOperator } from '../testing/operators.ts';
import { aReport } from '../testing/payins.ts';
import { aFundedMerchant, placePayout } from '../testing/payouts.ts';
import { approvalById } from './approvals.ts';
import { approve } from './approve.ts';
import { requestOperation } from './request-operation.ts';

// Two operators agree to what an operation does to money. If that is something else by now, nothing is done.

let fixture: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  [ann, bob] = [await anOperator(fixture.domain, ['finance']), await anOperator(fixture.domain, ['finance'])];
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await fixture.close();
  expect(violations).toEqual([]);
});

async function ask(name: 'resolvePayout' | 'topUpWallet', input: object): Promise<Approval> {
  const requested = await requestOperation(fixture.domain, ann, name, input, 'the bank said so');
  if (!requested.ok || requested.state !== 'pending') throw new Error(JSON.stringify(requested));
  return requested.approval;
}

async function aSubmittedPayout() {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'IN', '1000.00');
  const order = await placePayout(domain, merchantId, 'IN');
  await domain.commit(aReport(order, { outcome: 'accepted', channelRef: 'C-1' }));
  return order;
}

test('a release that was requested before a part of the payout left is refused, with both effects', async () => {
  const { domain } = fixture;
  const order = await aSubmittedPayout();
  const before = await readWallet(domain, order.merchantId);
  const approval = await ask('resolvePayout', { orderNo: order.orderNo, outcome: 'failed', evidence: 'a letter' });
  await domain.commit(aReport(order, { outcome: 'part_paid', payments: [{ reference: 'P1', amount: '60.00' }] }));

  expect(await approve(domain, bob, approval.approvalId)).toMatchObject({ ok: false, rejection: 'effect_changed' });

  expect(await readWallet(domain, order.merchantId)).toEqual(before);
  expect((await orderNow(domain, order)).status).toBe('processing');
  const refused = await approvalById(domain, approval.approvalId);
  expect(refused).toMatchObject({ state: 'failed', decidedBy: bob.operatorId, effect: approval.effect });
  const borne = `60.00 has left for order ${order.orderNo} already: the platform bears it`;
  expect(refused?.effectNow).toBe(`${approval.effect}\n${borne}`);

  // Requested again, both operators have seen what it costs.
  const again = await ask('resolvePayout', { orderNo: order.orderNo, outcome: 'failed', evidence: 'a letter' });
  expect(again.effect).toContain(borne);
  expect(await approve(domain, bob, again.approvalId)).toMatchObject({ ok: true, value: { state: 'executed' } });
  expect((await orderNow(domain, order)).status).toBe('failed');
});

test('other traffic of the wallet does not change an agreed effect', async () => {
  const { domain } = fixture;
  const order = await aSubmittedPayout();
  const approval = await ask('resolvePayout', { orderNo: order.orderNo, outcome: 'paid', evidence: 'a statement' });
  await placePayout(domain, order.merchantId, 'IN', { amount: '10.00' });
  expect(await approve(domain, bob, approval.approvalId)).toMatchObject({ ok: true, value: { state: 'executed' } });
});

test('the audit record of a request contains a digest of its effect', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'IN', '1.00');
  const input = { merchantId, bookingNo: 'B-1', amount: '999999.00', remark: 'a transfer' };
  const approval = await ask('topUpWallet', input);
  const { rows } = await domain.database.pool.query(
    `select detail::jsonb #>> '{after,effect}' as digest from audit_record where merchant_id = $1 and subject = $2`,
    [merchantId, approval.approvalId],
  );
  expect(rows).toEqual([{ digest: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
});
