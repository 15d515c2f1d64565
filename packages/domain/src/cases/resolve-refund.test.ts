import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { approve } from '../approvals/approve.ts';
import { requestOperation } from '../approvals/request-operation.ts';
import { audit } from '../audit/audit.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { progressOfCase } from '../core/payment.ts';
import { unrestricted } from '../lists/scope.ts';
import { dueWork } from '../orders/due-work.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator } from '../testing/operators.ts';
import { lateCase, type NamedCase, refundOf, workNow } from '../testing/refunds.ts';
import { loadMoneyCases } from './load-money-cases.ts';
import { countStuckRefunds } from './stuck-refunds.ts';
import { workOnRefund } from './work-on-refund.ts';

// Refunds that two operators end by evidence, on a real database.

let fixture: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ann = await anOperator(fixture.domain, ['finance']);
  bob = await anOperator(fixture.domain, ['finance']);
});
beforeEach(() => {
  fixture.channel.refundAnswers.refund = { outcome: 'unknown', why: 'no_answer', detail: 'time-out' };
  fixture.channel.refundAnswers.queryRefund = { outcome: 'unknown', why: 'no_answer', detail: 'time-out' };
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await fixture.close();
  expect(violations).toEqual([]);
});

async function decide(name: 'returnCase' | 'resolveRefund', input: object): Promise<string> {
  const done = await requestOperation(fixture.domain, ann, name, input, 'the payer asked for it');
  if (!done.ok) return done.rejection;
  return done.state === 'pending' ? done.approval.approvalId : done.state;
}

/** A case whose money is being sent back. */
async function aRefund(): Promise<NamedCase & { refundNo: string }> {
  const named = await lateCase(fixture.domain);
  return { ...named, refundNo: await sendBack(named) };
}

async function sendBack({ merchantId, caseNo }: NamedCase): Promise<string> {
  expect(await decide('returnCase', { merchantId, caseNo, way: 'by_channel' })).toBe('executed');
  return (await refundOf(fixture.domain, { merchantId, caseNo })).refundNo;
}

const failedIn = (named: NamedCase & { refundNo: string }) =>
  decide('resolveRefund', { ...named, outcome: 'failed', evidence: 'portal: no such refund' });

async function progressOf(named: NamedCase): Promise<string | null> {
  const [found] = await loadMoneyCases(fixture.domain, unrestricted, [named]);
  return found ? progressOfCase(found) : null;
}

test('a refund without a definite answer counts as stuck after an hour, until two operators end it', async () => {
  const named = await aRefund();
  await workNow(fixture.domain, named);
  const before = await countStuckRefunds(fixture.domain);
  const age = async (days: number) =>
    fixture.domain.database.pool.query(
      "update refund set created_at = created_at - $2 * interval '1 day' where merchant_id = $1",
      [named.merchantId, days],
    );
  await age(61 / 1440);
  expect(await countStuckRefunds(fixture.domain)).toBe(before + 1);
  expect(await approve(fixture.domain, bob, await failedIn(named))).toMatchObject({ ok: true });
  // It is asked about a few times more, and is not stuck.
  await age(8);
  expect(await countStuckRefunds(fixture.domain)).toBe(before);
  expect(await progressOf(named)).toBe('open');
  expect(await failedIn(named)).toBe('operation_not_available');
});

test('evidence about one refund does not end a later refund of the same case', async () => {
  const first = await aRefund();
  const refund = await failedIn(first);
  fixture.channel.refundAnswers.refund = { outcome: 'refused', reason: 'the balance is too low' };
  await workNow(fixture.domain, first);
  const second = { ...first, refundNo: await sendBack(first) };
  fixture.channel.refundAnswers.refund = { outcome: 'accepted', refundRef: 'R-2' };
  await workNow(fixture.domain, second);
  expect(await approve(fixture.domain, bob, refund)).toMatchObject({ ok: false, rejection: 'refund_not_found' });
  expect(await refundOf(fixture.domain, first)).toMatchObject({ refundNo: second.refundNo, state: 'accepted' });
  expect(await progressOf(first)).toBe('returning');
});

test('a refund cannot be failed by evidence while a worker calls the channel, and the approval stays pending', async () => {
  const named = await aRefund();
  const refund = await failedIn(named);
  let during: unknown;
  fixture.channel.refundAnswers.refund = async () => {
    during = await approve(fixture.domain, bob, refund);
    return { outcome: 'unknown', why: 'no_answer', detail: 'time-out' };
  };
  expect(await workOnRefund(fixture.domain, named)).toBe('done');
  expect(during).toMatchObject({ ok: false, rejection: 'not_due', detail: expect.stringContaining('half a minute') });
  expect(await approve(fixture.domain, bob, refund)).toMatchObject({ ok: true });
  expect(await refundOf(fixture.domain, named)).toMatchObject({ state: 'failed', nextAction: 'query' });
});

test('money that leaves after its refund was failed by evidence is found and booked', async () => {
  const first = await aRefund();
  await workNow(fixture.domain, first);
  await approve(fixture.domain, bob, await failedIn(first));
  await decide('returnCase', { merchantId: first.merchantId, caseNo: first.caseNo, way: 'by_hand' });
  fixture.channel.refundAnswers.queryRefund = { outcome: 'accepted', refundRef: 'R-1' };
  expect(await workNow(fixture.domain, first)).toBe('done');
  expect(await refundOf(fixture.domain, first)).toMatchObject({
    state: 'failed',
    refundRef: 'R-1',
    nextAction: 'query',
  });
  fixture.channel.refundAnswers.queryRefund = { outcome: 'refunded', refundRef: 'R-1' };
  expect(await workNow(fixture.domain, first)).toBe('done');
  expect(await refundOf(fixture.domain, first)).toMatchObject({ state: 'failed', nextAction: null });
  const [opened] = await loadMoneyCases(fixture.domain, unrestricted, [{ ...first, caseNo: 2 }]);
  expect(opened).toMatchObject({ kind: 'payout_paid_again', amount: '100.00', state: 'open' });
});

test('many due refunds of one channel do not delay refunds of other channels', async () => {
  const { merchantId, refundNo } = await aRefund();
  const { pool } = fixture.domain.database;
  await pool.query(
    `insert into refund (merchant_id, refund_no, case_no, channel_id, order_no, reference, currency, amount, reason, state,
      next_action, next_action_at, attempt, sends, created_at, updated_at)
    select merchant_id, 'RFCOPY' || n, 100 + n, 'busy', order_no, reference, currency, amount, reason, state,
      next_action, next_action_at - interval '1 hour', attempt, sends, created_at, updated_at
    from refund, generate_series(1, 5) n where merchant_id = $1 and refund_no = $2`,
    [merchantId, refundNo],
  );
  const due = (await dueWork(fixture.domain, 3)).filter((work) => work.queue === 'refund');
  expect(due.map(({ channelId }) => channelId).slice(0, 2)).toEqual(['busy', 'fake']);
});
