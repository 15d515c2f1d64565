import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { approve } from '../approvals/approve.ts';
import { requestOperation } from '../approvals/request-operation.ts';
import { audit } from '../audit/audit.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { progressOfCase } from '../core/payment.ts';
import type { RefundAnswer } from '../core/refund-answer.ts';
import { unrestricted } from '../lists/scope.ts';
import { dueWork } from '../orders/due-work.ts';
import { FakeChannel } from '../testing/fake-channel.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator } from '../testing/operators.ts';
import { aReport, paid } from '../testing/payins.ts';
import { lateCase as aLateCase, refundOf as lastRefundOf, type NamedCase, workNow } from '../testing/refunds.ts';
import { loadMoneyCases } from './load-money-cases.ts';
import { workOnRefund } from './work-on-refund.ts';

// Money of cases on a real database, sent back by a channel whose answers the test sets.

let fixture: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
const working = new FakeChannel().refundAnswers;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ann = await anOperator(fixture.domain, ['finance']);
  bob = await anOperator(fixture.domain, ['finance']);
});
afterEach(() => {
  fixture.channel.refundAnswers = { ...working };
  fixture.channel.refunds.length = 0;
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await fixture.close();
  expect(violations).toEqual([]);
});

type Named = NamedCase;
const lateCase = (amount?: string) => aLateCase(fixture.domain, amount);
const refundOf = (named: Named) => lastRefundOf(fixture.domain, named);
const work = (named: Named) => workNow(fixture.domain, named);

async function decide(name: 'returnCase' | 'creditCase', input: object, who = ann): Promise<string> {
  const done = await requestOperation(fixture.domain, who, name, input, 'the payer asked for it');
  if (!done.ok) return done.rejection;
  return done.state === 'pending' ? done.approval.approvalId : done.state;
}
const sendBack = (named: Named) => decide('returnCase', { ...named, way: 'by_channel' });

async function stateOf(named: Named): Promise<string> {
  const [found] = await loadMoneyCases(fixture.domain, unrestricted, [named]);
  const { rows } = await fixture.domain.database.pool.query<{ out: string }>(
    "select coalesce(sum(amount), 0)::text as out from transfer where merchant_id = $1 and debit = 'suspense'",
    [named.merchantId],
  );
  return `${found && progressOfCase(found)}, ${rows[0]?.out} out of suspense`;
}

const calls = () => fixture.channel.refunds.map(({ operation }) => operation);

test('an operator refunds a case, and the refund is posted when the channel confirms it', async () => {
  const named = await lateCase();
  expect(await sendBack(named)).toBe('executed');
  const { refundNo } = await refundOf(named);
  expect(fixture.woken.at(-1)).toMatchObject({ queue: 'refund', ...named, refundNo, channelId: 'fake' });
  expect((await dueWork(fixture.domain, 100)).find((found) => found.queue === 'refund')).toMatchObject({ refundNo });
  expect(await stateOf(named)).toBe('returning, 0 out of suspense');
  expect(await work(named)).toBe('done');
  expect(await stateOf(named)).toBe('returned, 100.00 out of suspense');
  expect(await refundOf(named)).toMatchObject({ state: 'refunded', refundRef: 'refund-ref-1', attempt: 1, sends: 1 });
  const [{ refund } = { refund: null }] = fixture.channel.refunds;
  expect(refund).toMatchObject({
    kind: 'payin',
    country: 'TH',
    currency: 'THB',
    amount: '100.00',
    refundNo,
    reference: 'P1',
    refundAmount: '100.00',
    reason: 'paid after the order had ended',
    orderNo: expect.stringMatching(/^PI/),
  });
  expect(await work(named)).toBe('not_due');
});

test('a case with a refund under way can be neither credited nor returned', async () => {
  const named = await lateCase();
  await sendBack(named);
  for (const decision of [decide('creditCase', named), decide('returnCase', named), sendBack(named)])
    expect(await decision).toBe('refund_under_way');
  // The database refuses it, too.
  for (const state of ['returned', 'credited'])
    await expect(
      fixture.domain.database.pool.query(
        'update money_case set state = $3, closed_at = now() where merchant_id = $1 and case_no = $2',
        [named.merchantId, named.caseNo, state],
      ),
    ).rejects.toThrow(/refund RF\w+ is requested/);
  await work(named);
});

test('a refused refund opens the case again, and the next refund has another number', async () => {
  const named = await lateCase();
  fixture.channel.refundAnswers.refund = { outcome: 'refused', reason: 'the balance is too low' };
  await sendBack(named);
  const first = await refundOf(named);
  await work(named);
  expect(await refundOf(named)).toMatchObject({ state: 'failed', answer: 'refused: the balance is too low' });
  expect(await stateOf(named)).toBe('open, 0 out of suspense');
  fixture.channel.refundAnswers.refund = { outcome: 'accepted', refundRef: 'R-2' };
  expect(await sendBack(named)).toBe('executed');
  await work(named);
  expect(await refundOf(named)).toMatchObject({ state: 'accepted', refundRef: 'R-2' });
  fixture.channel.refundAnswers.queryRefund = { outcome: 'refunded', refundRef: 'R-2' };
  await work(named);
  expect((await refundOf(named)).refundNo).not.toBe(first.refundNo);
  expect(await stateOf(named)).toBe('returned, 100.00 out of suspense');
  expect(calls()).toEqual(['refund', 'refund', 'queryRefund']);
});

test('after a worker died while sending a refund, the next worker queries first, and the money leaves once', async () => {
  const named = await lateCase();
  await sendBack(named);
  // Dies between the call and its record.
  fixture.channel.refundAnswers.refund = () => Promise.reject(new Error('killed'));
  const dying = {
    ...fixture.domain,
    commit: async (command: never) => {
      const { type } = command as { type: string };
      if (type === 'applyRefund') throw new Error('killed');
      return fixture.domain.commit(command);
    },
  };
  await expect(workOnRefund(dying as typeof fixture.domain, await refundOf(named))).rejects.toThrow('killed');
  fixture.channel.refundAnswers.queryRefund = { outcome: 'refunded', refundRef: 'R-1' };
  await work(named);
  expect(calls()).toEqual(['refund', 'queryRefund']);
  expect(await stateOf(named)).toBe('returned, 100.00 out of suspense');
});

test('a refund that the channel does not have is sent again only if the adapter allows it, under the same number', async () => {
  const named = await lateCase();
  fixture.channel.refundAnswers.refund = { outcome: 'unknown', why: 'no_answer', detail: 'time-out' };
  await sendBack(named);
  await work(named);
  await work(named);
  await work(named);
  expect(calls()).toEqual(['refund', 'queryRefund', 'queryRefund']);
  const missing = { outcome: 'unknown', why: 'not_found', detail: 'none', maySendAgain: true } as const;
  fixture.channel.refundAnswers = { refund: { outcome: 'refunded', refundRef: 'R-1' }, queryRefund: missing };
  await work(named);
  await work(named);
  expect(calls().slice(3)).toEqual(['queryRefund', 'refund']);
  expect(new Set(fixture.channel.refunds.map(({ refund }) => refund.refundNo)).size).toBe(1);
  expect(await stateOf(named)).toBe('returned, 100.00 out of suspense');
  expect(await refundOf(named)).toMatchObject({ sends: 2, attempt: 5 });
});

test('a refusal after an earlier send counts only if the channel does not have the refund', async () => {
  const named = await lateCase();
  const missing = { outcome: 'unknown', why: 'not_found', detail: 'none', maySendAgain: true } as const;
  fixture.channel.refundAnswers = {
    refund: { outcome: 'unknown', why: 'no_answer', detail: 'lost' },
    queryRefund: missing,
  };
  await sendBack(named);
  await work(named);
  await work(named);
  // The channel had accepted the first call after all.
  fixture.channel.refundAnswers = {
    refund: { outcome: 'refused', reason: 'refunded in full already' },
    queryRefund: { outcome: 'refunded', refundRef: 'R-1' },
  };
  await work(named);
  expect(await stateOf(named)).toBe('returned, 100.00 out of suspense');
});

test('two workers with many jobs for one refund call the channel once', async () => {
  const named = await lateCase();
  await sendBack(named);
  const refund = await refundOf(named);
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => workOnRefund(fixture.domain, refund)));
  expect(outcomes.toSorted()).toEqual(['done', ...Array(5).fill('not_due')]);
  expect(calls()).toEqual(['refund']);
  expect(await stateOf(named)).toBe('returned, 100.00 out of suspense');
});

test('two operators who refund one case at the same time cause one refund', async () => {
  const named = await lateCase();
  const decisions = await Promise.all(
    [ann, bob].map((who) => decide('returnCase', { ...named, way: 'by_channel' }, who)),
  );
  expect(decisions.toSorted()).toEqual(['executed', 'refund_under_way']);
  await work(named);
});

test('a report about the payment during its refund opens no case and moves no money', async () => {
  const named = await lateCase();
  const [found] = await loadMoneyCases(fixture.domain, unrestricted, [named]);
  const ref = { merchantId: named.merchantId, orderNo: found?.orderNo ?? '' };
  const reports = [paid('P1'), { outcome: 'failed', reason: 'paid, and refunded in full' }, paid('P1')] as const;
  await sendBack(named);
  for (const answer of reports) await fixture.domain.commit(aReport(ref, answer));
  await work(named);
  for (const answer of reports) await fixture.domain.commit(aReport(ref, answer));
  expect(await stateOf(named)).toBe('returned, 100.00 out of suspense');
  expect(await loadMoneyCases(fixture.domain, unrestricted, [{ ...named, caseNo: 2 }])).toEqual([null]);
});

test.each<[string, () => RefundAnswer | Promise<RefundAnswer>]>([
  ['an empty reference', () => ({ outcome: 'refunded', refundRef: '' })],
  ['a reference that cannot be stored', () => ({ outcome: 'refunded', refundRef: 'a\u0000b' })],
  ['a reference without an end', () => ({ outcome: 'accepted', refundRef: 'R'.repeat(129) })],
  ['an unknown outcome', () => ({ outcome: 'done', refundRef: 'R-1' }) as never],
  ['an exception', () => Promise.reject(new Error('a bug'))],
])('%s is no answer: nothing is booked, and the channel is asked again', async (_what, answer) => {
  const named = await lateCase();
  fixture.channel.refundAnswers.refund = answer;
  await sendBack(named);
  await work(named);
  expect(await refundOf(named)).toMatchObject({ state: 'requested', nextAction: 'query', refundRef: null });
  expect(await stateOf(named)).toBe('returning, 0 out of suspense');
  fixture.channel.refundAnswers.queryRefund = { outcome: 'refunded', refundRef: 'R-1' };
  await work(named);
});

test('a long reason of a channel is shortened, whatever characters it has', async () => {
  const named = await lateCase();
  fixture.channel.refundAnswers.refund = { outcome: 'refused', reason: `\u0000${'😀'.repeat(9_000)}` };
  await sendBack(named);
  await work(named);
  expect((await refundOf(named)).answer?.length).toBe(200);
});

test('a refund above the limit is sent when a second operator approves it', async () => {
  const named = await lateCase('20000.00');
  const approvalId = await sendBack(named);
  expect(await stateOf(named)).toBe('open, 0 out of suspense');
  expect(await approve(fixture.domain, bob, approvalId)).toMatchObject({ ok: true });
  await work(named);
  expect(await stateOf(named)).toBe('returned, 20000.00 out of suspense');
});

test('a refund is refused at the request if the channel has no refunds', async () => {
  const named = await lateCase();
  const { channel } = fixture;
  channel.offersRefunds = false;
  expect(await sendBack(named)).toBe('case_not_refundable');
  channel.offersRefunds = true;
  expect(await sendBack(named)).toBe('executed');
  await work(named);
});
