import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Approval } from '../core/approval.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { readWallet } from '../ledger/read-wallet.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator } from '../testing/operators.ts';
import { aTopUp } from '../testing/payins.ts';
import { aFundedMerchant } from '../testing/payouts.ts';
import { approvalById } from './approvals.ts';
import { approve } from './approve.ts';
import type { OperationName } from './operations.ts';
import { reject } from './reject.ts';
import { requestOperation } from './request-operation.ts';
import { withdraw } from './withdraw.ts';

// Pending approvals: one can wait for money, and its requester can withdraw it. Two processes share one database.

let fixture: TestDomain;
let other: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
const roles = ['finance'] as const;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  fixture = await openTestDomain(url);
  other = await openTestDomain(url);
  [ann, bob] = [await anOperator(fixture.domain, roles), await anOperator(fixture.domain, roles)];
});
afterAll(() => Promise.all([fixture.close(), other.close()]));

const ask = async (name: OperationName, input: object): Promise<Approval> => {
  const requested = await requestOperation(fixture.domain, ann, name, input, 'the bank said so');
  if (!requested.ok || requested.state !== 'pending') throw new Error(`${name}: ${JSON.stringify(requested)}`);
  return requested.approval;
};
const settlement = (merchantId: string, amount = '20000') => ({ merchantId, amount, bookingNo: 'S-1', remark: 'r' });
const aRichMerchant = async (): Promise<string> =>
  (await aFundedMerchant(fixture.domain, 'PK', '50000.00', 'market')).merchantId;
const aSettlement = async (): Promise<Approval> => ask('settleWallet', settlement(await aRichMerchant()));
const available = async (merchantId: string): Promise<string> =>
  (await readWallet(fixture.domain, merchantId)).available;
const agree = async (who: OperatorContext, { approvalId }: Approval): Promise<string> => {
  const done = await approve(fixture.domain, who, approvalId);
  return done.ok ? done.value.state : done.rejection;
};
const drop = async (who: OperatorContext, { approvalId }: Approval): Promise<string> => {
  const done = await reject(fixture.domain, who, approvalId, 'not what the bank said');
  return done.ok ? done.value.state : done.rejection;
};
const now = async ({ approvalId }: Approval) => approvalById(fixture.domain, approvalId);
const records = async (merchantId: string) => {
  const text =
    'select actor, approver, action, subject, reason from audit_record where merchant_id = $1 order by audit_no';
  return (await fixture.domain.database.pool.query(text, [merchantId])).rows;
};

test('an approval without enough money in the wallet stays pending, and can be approved later', async () => {
  const merchantId = await aRichMerchant();
  const [first, second] = [
    await ask('settleWallet', settlement(merchantId, '40000')),
    await ask('settleWallet', { ...settlement(merchantId, '40000'), bookingNo: 'S-2' }),
  ];
  expect(await agree(bob, first)).toBe('executed');
  expect(await agree(bob, second)).toBe('balance_insufficient');
  expect(await now(second)).toMatchObject({ state: 'pending', decidedBy: null });
  await fixture.domain.commit(aTopUp(merchantId, 'MORE', '40000.00'));
  expect(await agree(bob, second)).toBe('executed');
  expect(await available(merchantId)).toBe('10000.00');
});

test('only the requester can withdraw a request, and then it cannot be decided', async () => {
  const approval = await aSettlement();
  const take = async (who: OperatorContext, reason = 'the wrong amount') => {
    const done = await withdraw(fixture.domain, who, approval.approvalId, reason);
    return done.ok ? done.value.state : done.rejection;
  };
  expect(await take(bob)).toBe('not_your_approval');
  expect(await take(await anOperator(fixture.domain, roles, { countries: ['CN'] }))).toBe('approval_not_found');
  expect(await take(ann, ' ')).toBe('invalid_input');
  expect(await take(ann)).toBe('withdrawn');
  expect(await now(approval)).toMatchObject({
    state: 'withdrawn',
    decidedBy: ann.operatorId,
    outcome: 'the wrong amount',
  });
  expect(await agree(bob, approval)).toBe('approval_decided');
  expect(await drop(bob, approval)).toBe('approval_decided');
  expect(await take(ann)).toBe('approval_decided');
  expect(await available(approval.merchantId)).toBe('50000.00');
  expect((await records(approval.merchantId)).at(-1)).toEqual({
    actor: ann.operatorId,
    approver: null,
    action: 'withdrawApproval',
    subject: approval.approvalId,
    reason: 'the wrong amount',
  });
});

test('of a concurrent withdrawal and approval one succeeds', async () => {
  for (let round = 0; round < 5; round += 1) {
    const approval = await aSettlement();
    const [agreed, withdrawn] = await Promise.all([
      agree(bob, approval),
      withdraw(other.domain, ann, approval.approvalId, 'no'),
    ]);
    expect([agreed, withdrawn.ok]).toEqual(withdrawn.ok ? ['approval_decided', true] : ['executed', false]);
    expect(await available(approval.merchantId)).toBe(withdrawn.ok ? '50000.00' : '30000.00');
  }
});

test('an operation of another version cannot be approved, only rejected by another admin or withdrawn by its requester', async () => {
  const admin = await anOperator(fixture.domain, ['admin']);
  const unknownOperation = async (): Promise<Approval> => {
    const approvalId = `AP${crypto.randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase()}`;
    const text = `insert into approval (approval_id, merchant_id, operation, subject, input, asked_by, reason, asked_at, expires_at)
      values ($1, 'PLATFORM', 'createOperatorToken', 'mei', '{"operatorId":"mei"}', $2, 'joins', now(), now() + interval '1 day')`;
    await fixture.domain.database.pool.query(text, [approvalId, ann.operatorId]);
    const kept = await approvalById(fixture.domain, approvalId);
    if (!kept) throw new Error('it was not kept');
    return kept;
  };
  const one = await unknownOperation();
  expect(await agree(admin, one)).toBe('approval_outdated');
  expect(await drop(bob, one)).toBe('forbidden');
  expect(await drop({ ...admin, countries: ['PK'] }, one)).toBe('approval_not_found');
  expect(await drop(admin, one)).toBe('rejected');
  const { approvalId } = await unknownOperation();
  const done = await withdraw(fixture.domain, ann, approvalId, 'not needed');
  expect(done.ok && done.value.state).toBe('withdrawn');
});

test('one request at a time waits about an object, also of concurrent ones, and the next one follows its decision', async () => {
  const merchantId = await aRichMerchant();
  const requests = [fixture, other, fixture, other].map(({ domain }, nth) =>
    requestOperation(domain, nth % 2 === 0 ? ann : bob, 'settleWallet', settlement(merchantId), 'the bank said so'),
  );
  const answers = await Promise.all(requests);
  const kept = answers.flatMap((one) => (one.ok && one.state === 'pending' ? [one.approval] : []));
  expect(kept).toHaveLength(1);
  const [first] = kept as [Approval];
  expect(answers.filter((one) => !one.ok && one.rejection === 'approval_waits')).toHaveLength(3);
  const again = await requestOperation(fixture.domain, ann, 'settleWallet', settlement(merchantId, '30000'), 'another');
  expect(again).toMatchObject({
    rejection: 'approval_waits',
    detail: `${first.approvalId} of ${first.requestedBy}, "Record a settlement"`,
  });
  // Another object of the same merchant is another question.
  await ask('settleWallet', { ...settlement(merchantId), bookingNo: 'S-9' });
  expect(await drop(first.requestedBy === ann.operatorId ? bob : ann, first)).toBe('rejected');
  const next = await ask('settleWallet', settlement(merchantId, '30000'));
  expect(await drop(bob, next)).toBe('rejected');
  await ask('settleWallet', settlement(merchantId, '30000'));
});
