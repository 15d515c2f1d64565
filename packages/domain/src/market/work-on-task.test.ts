import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import type { Order } from '../core/order.ts';
import { readWallet } from '../ledger/read-wallet.ts';
import { unrestricted } from '../lists/scope.ts';
import { cancelOrder } from '../orders/cancel-order.ts';
import { pageStuckPayouts } from '../orders/list-stuck-payouts.ts';
import { countStuckPayouts } from '../orders/stuck-payouts.ts';
import { expireOrder } from '../orders/work-on-order.ts';
import { makeDue, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { aReport, paid } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout, rowCounts } from '../testing/payouts.ts';
import { pageRequest } from '../testing/walk-list.ts';
import { pagePayoutTasks } from './list-payout-tasks.ts';
import { type TaskAction, workOnTask } from './work-on-task.ts';

// The task market through two processes on one database.

let fixture: TestDomain;
let other: TestDomain;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  fixture = await openTestDomain(url, { batchSize: 4 });
  other = await openTestDomain(url, { batchSize: 3 });
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await Promise.all([fixture.close(), other.close()]);
  expect(violations).toEqual([]);
});

async function aTask(): Promise<Order> {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'PK', '1000.00', 'market');
  return placePayout(fixture.domain, merchantId, 'PK', { mode: 'market' });
}
const proof = { reference: 'UTR-1', payer: 'ann', note: 'from the shop' };
let proofs = 0;
/** A proof that no other payout has. */
const aProof = (): typeof proof => ({ ...proof, reference: `UTR-${++proofs}` });
const work = async (order: Order, who: string, action: TaskAction, at = fixture): Promise<string> => {
  const done = await workOnTask(at.domain, order, action, by(who));
  return done.ok ? done.value.status : done.rejection;
};

test('one of twenty concurrent claims by two operators gets the task', async () => {
  const order = await aTask();
  const tries = Array.from({ length: 20 }, (_, i) =>
    work(order, i % 2 === 0 ? 'ann' : 'bob', { type: 'claimTask' }, i % 3 === 0 ? fixture : other),
  );
  const results = await Promise.all(tries);
  expect(results.filter((what) => what === 'processing')).toHaveLength(1);
  expect(results.filter((what) => what === 'task_not_available')).toHaveLength(19);
  const { rows } = await fixture.domain.database.pool.query(
    "select actor from audit_record where subject = $1 and action = 'claimTask'",
    [order.orderNo],
  );
  expect(rows).toEqual([{ actor: (await orderNow(fixture.domain, order)).task?.claimedBy }]);
});

test('a proof without a decision within an hour is counted and listed as stuck until it is decided', async () => {
  const order = await aTask();
  await work(order, 'ann', { type: 'claimTask' });
  await work(order, 'ann', { type: 'proveTask', proof: aProof() });
  const { domain } = fixture;
  const stuck = async (): Promise<[number, boolean]> => {
    const { rows } = await pageStuckPayouts(domain, unrestricted, {}, pageRequest('stuck_payouts'));
    return [await countStuckPayouts(domain), rows.some(({ orderNo }) => orderNo === order.orderNo)];
  };
  expect(await stuck()).toEqual([0, false]);
  await domain.database.pool.query(
    `update orders set task = jsonb_set(task, '{proof,at}', to_jsonb((task->'proof'->>'at')::float8 - 3600001)) where order_no = $1`,
    [order.orderNo],
  );
  expect(await stuck()).toEqual([1, true]);
  expect(await work(order, 'bob', { type: 'acceptProof' })).toBe('completed');
  expect(await stuck()).toEqual([0, false]);
});

test('a bank reference in any spelling proves one payout only, which it can prove again', async () => {
  const [one, another] = [await aTask(), await aTask()];
  const bring = (order: Order, reference: string, at = fixture): Promise<string> =>
    work(order, 'ann', { type: 'proveTask', proof: { ...proof, reference } }, at);
  for (const order of [one, another]) await work(order, 'ann', { type: 'claimTask' });
  const results = await Promise.all([bring(one, 'HBL 77-1'), bring(another, 'hbl77 1', other)]);
  expect(results.sort()).toEqual(['processing', 'proof_reference_used']);
  const proved = (await orderNow(fixture.domain, one)).task?.proof ? one : another;
  expect(await work(proved, 'bob', { type: 'rejectProof' })).toBe('processing');
  expect(await bring(proved, 'HBL-77-1')).toBe('processing');
  expect(await bring(proved === one ? another : one, 'HBL-77-2')).toBe('processing');
});

test('the reference of a rejected proof can prove the payout that it really paid', async () => {
  const [wrong, right] = [await aTask(), await aTask()];
  const bring = (order: Order): Promise<string> =>
    work(order, 'ann', { type: 'proveTask', proof: { ...proof, reference: 'MCB 12-9' } });
  for (const order of [wrong, right]) await work(order, 'ann', { type: 'claimTask' });
  expect(await bring(wrong)).toBe('processing');
  expect(await bring(right)).toBe('proof_reference_used');
  expect(await work(wrong, 'bob', { type: 'rejectProof' })).toBe('processing');
  expect(await bring(right)).toBe('processing');
  expect(await bring(wrong)).toBe('proof_reference_used');
  expect(await work(right, 'bob', { type: 'acceptProof' })).toBe('completed');
  expect(await bring(wrong)).toBe('proof_reference_used');
});

test('a proof whose payment the channel has shown settles its payout with that payment, and moves no more', async () => {
  const { domain } = fixture;
  const shown = async (order: Order, reference: string) => domain.commit(aReport(order, paid(reference)));
  const cases = async ({ merchantId }: Order) =>
    (await domain.database.pool.query('select kind, state from money_case where merchant_id = $1', [merchantId])).rows;
  const [before, after] = [await aTask(), await aTask()];
  const proofOf = new Map<Order, typeof proof>();
  for (const order of [before, after]) {
    proofOf.set(order, aProof());
    await work(order, 'ann', { type: 'claimTask' });
    await work(order, 'ann', { type: 'proveTask', proof: proofOf.get(order) ?? proof });
  }
  await shown(before, proofOf.get(before)?.reference ?? '');
  expect(await work(before, 'bob', { type: 'acceptProof' })).toBe('completed');
  expect(await cases(before)).toEqual([{ kind: 'payout_paid_again', state: 'credited' }]);
  expect(await work(after, 'bob', { type: 'acceptProof' })).toBe('completed');
  await shown(after, proofOf.get(after)?.reference ?? '');
  expect(await cases(after)).toEqual([]);
  for (const order of [before, after]) {
    const { rows } = await domain.database.pool.query(
      `select sum(case when credit = 'channel:fake' then amount else -amount end)::text as paid from transfer where merchant_id = $1 and 'channel:fake' in (debit, credit)`,
      [order.merchantId],
    );
    expect(rows).toEqual([{ paid: '100.00' }]);
  }
});

test('a task is listed as available until it is claimed, and again after it is given back', async () => {
  const order = await aTask();
  const listed = async (): Promise<boolean> =>
    (
      await pagePayoutTasks(fixture.domain, unrestricted, { state: 'available' }, pageRequest('payout_tasks'))
    ).rows.some(({ orderNo }) => orderNo === order.orderNo);
  expect(await listed()).toBe(true);
  await work(order, 'ann', { type: 'claimTask' });
  expect(await listed()).toBe(false);
  expect(await work(order, 'bob', { type: 'giveBackTask' })).toBe('not_your_task');
  expect(await work(order, 'ann', { type: 'giveBackTask' })).toBe('market_available');
  expect(await listed()).toBe(true);
});

test('after an expired claim its operator is asked once, and the task is not listed before the answer', async () => {
  const order = await aTask();
  await work(order, 'ann', { type: 'claimTask' });
  expect(await expireOrder(fixture.domain, order)).toBe('not_due');
  await makeDue(fixture.domain, order);
  const ends = await Promise.all([fixture, other, fixture].map(({ domain }) => expireOrder(domain, order)));
  expect(ends.toSorted()).toEqual(['done', 'not_due', 'not_due']);
  expect(await orderNow(fixture.domain, order)).toMatchObject({
    status: 'processing',
    task: { claimedBy: 'ann', proof: null, askedAt: expect.any(Number) },
    nextAction: null,
  });
  const isListed = async (state: 'available' | 'claimed' | 'asked'): Promise<boolean> =>
    (await pagePayoutTasks(fixture.domain, unrestricted, { state }, pageRequest('payout_tasks'))).rows.some(
      ({ orderNo }) => orderNo === order.orderNo,
    );
  expect([await isListed('available'), await isListed('claimed'), await isListed('asked')]).toEqual([
    false,
    false,
    true,
  ]);
  expect(await work(order, 'bob', { type: 'claimTask' })).toBe('task_not_available');
  expect(await work(order, 'ann', { type: 'giveBackTask' })).toBe('market_available');
  expect(await work(order, 'bob', { type: 'claimTask' })).toBe('processing');
  expect(fixture.channel.calls).toEqual([]);
});

test('a task whose operator does not answer for an hour counts as stuck, and two others list it again', async () => {
  const order = await aTask();
  await work(order, 'ann', { type: 'claimTask' });
  await makeDue(fixture.domain, order);
  await expireOrder(fixture.domain, order);
  const { domain } = fixture;
  const isStuck = async (): Promise<boolean> =>
    (await pageStuckPayouts(domain, unrestricted, {}, pageRequest('stuck_payouts'))).rows.some(
      ({ orderNo }) => orderNo === order.orderNo,
    );
  expect(await isStuck()).toBe(false);
  await domain.database.pool.query(
    `update orders set task = jsonb_set(task, '{askedAt}', to_jsonb((task->>'askedAt')::float8 - 3600001)) where order_no = $1`,
    [order.orderNo],
  );
  expect(await isStuck()).toBe(true);
  expect(await work(order, 'bob', { type: 'giveBackTask' })).toBe('second_operator_needed');
  const agreed = await workOnTask(domain, order, { type: 'giveBackTask' }, by('bob', 'cid'));
  expect(agreed).toMatchObject({ ok: true, value: { status: 'market_available', task: null } });
  expect(await isStuck()).toBe(false);
});

test('an operator who is late by a minute is paid for in a case, whose reference proves nothing else', async () => {
  const [order, another] = [await aTask(), await aTask()];
  const late = aProof();
  await work(order, 'ann', { type: 'claimTask' });
  await work(order, 'ann', { type: 'giveBackTask' });
  await work(order, 'bob', { type: 'claimTask' });
  expect(await work(order, 'ann', { type: 'proveTask', proof: late }, other)).toBe('second_operator_needed');
  const agreed = await workOnTask(other.domain, order, { type: 'proveTask', proof: late }, by('ann', 'dan'));
  expect(agreed).toMatchObject({ ok: true, value: { status: 'processing' } });
  expect(await work(order, 'ann', { type: 'proveTask', proof: late })).toBe('proof_reference_used');
  await work(another, 'cid', { type: 'claimTask' });
  expect(await work(another, 'cid', { type: 'proveTask', proof: late })).toBe('proof_reference_used');
  await work(order, 'bob', { type: 'proveTask', proof: aProof() });
  expect(await work(order, 'cid', { type: 'acceptProof' })).toBe('completed');
  const { rows } = await fixture.domain.database.pool.query(
    'select kind, amount, reference, state from money_case where order_no = $1',
    [order.orderNo],
  );
  expect(rows).toEqual([{ kind: 'payout_paid_again', amount: '100.00', reference: late.reference, state: 'open' }]);
  const { merchantId, orderNo } = order;
  const charged = { type: 'chargeCase', merchantId, orderNo, caseNo: 1, by: by('dan', 'eve') } as const;
  expect(await fixture.domain.commit(charged)).toMatchObject({ ok: true });
  expect(await readWallet(fixture.domain, merchantId)).toMatchObject({ available: '797.50', frozen: '0.00' });
});

test('a payout that is proved, rejected, proved again and accepted by a second operator is settled once', async () => {
  const order = await aTask();
  await work(order, 'ann', { type: 'claimTask' });
  expect(await work(order, 'bob', { type: 'proveTask', proof: aProof() })).toBe('not_your_task');
  await work(order, 'ann', { type: 'proveTask', proof: aProof() });
  // While it waits for a decision, no other operator can claim it.
  expect(await expireOrder(fixture.domain, order)).toBe('not_due');
  expect(await work(order, 'ann', { type: 'acceptProof' })).toBe('second_operator_needed');
  expect(await work(order, 'bob', { type: 'rejectProof' })).toBe('processing');
  expect(await work(order, 'ann', { type: 'proveTask', proof: aProof() })).toBe('processing');
  const judged = await Promise.all(
    [fixture, other, fixture, other].map((at) => work(order, 'bob', { type: 'acceptProof' }, at)),
  );
  expect(judged.toSorted()).toEqual(['completed', 'proof_missing', 'proof_missing', 'proof_missing']);
  expect(await readWallet(fixture.domain, order.merchantId)).toMatchObject({ available: '897.50', frozen: '0.00' });
  expect((await orderNow(fixture.domain, order)).task?.proof).toMatchObject({ ...proof, reference: `UTR-${proofs}` });
});

test('of a concurrent acceptance and rejection one succeeds', async () => {
  const order = await aTask();
  await work(order, 'ann', { type: 'claimTask' });
  await work(order, 'ann', { type: 'proveTask', proof: aProof() });
  const judged = await Promise.all([
    work(order, 'bob', { type: 'acceptProof' }),
    work(order, 'cid', { type: 'rejectProof' }, other),
  ]);
  expect(judged.filter((what) => what === 'proof_missing')).toHaveLength(1);
  const { frozen } = await readWallet(fixture.domain, order.merchantId);
  expect(frozen).toBe(judged[0] === 'completed' ? '0.00' : '102.50');
});

test('a claimed task cannot be cancelled, and no channel is called', async () => {
  const order = await aTask();
  await work(order, 'ann', { type: 'claimTask' });
  const before = await rowCounts(fixture.domain);
  expect(await cancelOrder(fixture.domain, order, by('bob'))).toMatchObject({ ok: false, rejection: 'task_claimed' });
  expect(await rowCounts(fixture.domain)).toEqual(before);
  expect(fixture.channel.calls).toEqual([]);
  expect(await orderNow(fixture.domain, order)).toMatchObject({ status: 'processing', nextAction: 'expire' });
  await work(order, 'ann', { type: 'giveBackTask' });
  expect(await cancelOrder(fixture.domain, order, by('bob'))).toMatchObject({
    ok: true,
    value: { status: 'cancelled' },
  });
  expect(await readWallet(fixture.domain, order.merchantId)).toMatchObject({ available: '1000.00', frozen: '0.00' });
});

test('a report of a channel cannot end a payout of the task market', async () => {
  const order = await aTask();
  await work(order, 'ann', { type: 'claimTask' });
  const { domain } = fixture;
  await domain.commit(aReport(order, { outcome: 'failed', reason: 'no' }));
  await domain.commit(aReport(order, { outcome: 'unknown', why: 'not_found', detail: '' }, 'query'));
  await domain.commit(aReport(order, paid()));
  expect(await orderNow(domain, order)).toMatchObject({ status: 'processing', nextAction: 'expire' });
  const { rows } = await domain.database.pool.query('select kind, amount from money_case where order_no = $1', [
    order.orderNo,
  ]);
  expect(rows).toEqual([{ kind: 'payout_paid_again', amount: '100.00' }]);
});

test('a decision without a reason, or with the requester as approver, is refused', async () => {
  const order = await aTask();
  const before = await rowCounts(fixture.domain);
  const claim = (decision: Partial<ReturnType<typeof by>>) =>
    workOnTask(fixture.domain, order, { type: 'claimTask' }, { ...by('ann'), ...decision });
  await expect(claim({ reason: '' })).rejects.toThrow(/audit_record_reason_check/);
  await expect(claim({ approver: 'ann' })).rejects.toThrow(/audit_record.*check/);
  expect(await rowCounts(fixture.domain)).toEqual(before);
  expect((await orderNow(fixture.domain, order)).status).toBe('market_available');
});
