import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import { setOperatorEnabled } from '../configuration/set-operator-enabled.ts';
import type { Approval } from '../core/approval.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { readWallet } from '../ledger/read-wallet.ts';
import type { Domain } from '../open-domain.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator, request } from '../testing/operators.ts';
import { aFundedMerchant } from '../testing/payouts.ts';
import { waitFor } from '../testing/wait-for.ts';
import { approvalById, pendingApprovals } from './approvals.ts';
import { approve } from './approve.ts';
import type { OperationName } from './operations.ts';
import { reject } from './reject.ts';
import { requestOperation } from './request-operation.ts';

// What two operators have to agree on, through two processes on one database; the approval limit is 10000.00.

let fixture: TestDomain;
let other: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
let cid: OperatorContext;
const roles = ['operator', 'finance', 'admin'] as const;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  fixture = await openTestDomain(url);
  other = await openTestDomain(url);
  ann = await anOperator(fixture.domain, roles);
  bob = await anOperator(fixture.domain, roles);
  cid = await anOperator(fixture.domain, roles);
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await Promise.all([fixture.close(), other.close()]);
  expect(violations).toEqual([]);
});

type Input = { [name: string]: unknown };
const ask = async (name: OperationName, input: Input, domain = fixture.domain): Promise<Approval> => {
  const requested = await requestOperation(domain, ann, name, input, 'the bank said so');
  if (!requested.ok || requested.state !== 'pending') throw new Error(`${name}: ${JSON.stringify(requested)}`);
  return requested.approval;
};
const settlement = (merchantId: string, amount = '20000'): Input => ({
  merchantId,
  amount,
  bookingNo: 'S-1',
  remark: 'r',
});
const aRichMerchant = async (): Promise<string> =>
  (await aFundedMerchant(fixture.domain, 'PK', '50000.00', 'market')).merchantId;
const aSettlement = async (): Promise<Approval> => ask('settleWallet', settlement(await aRichMerchant()));
const available = async (merchantId: string): Promise<string> =>
  (await readWallet(fixture.domain, merchantId)).available;
const agree = async (who: OperatorContext, { approvalId }: Approval, domain = fixture.domain): Promise<string> => {
  const done = await approve(domain, who, approvalId);
  return done.ok ? done.value.state : done.rejection;
};
const drop = async (who: OperatorContext, { approvalId }: Approval, domain = fixture.domain): Promise<string> => {
  const done = await reject(domain, who, approvalId, 'not what the bank said');
  return done.ok ? done.value.state : done.rejection;
};
const now = async ({ approvalId }: Approval) => approvalById(fixture.domain, approvalId);
const records = async (merchantId: string) =>
  (
    await fixture.domain.database.pool.query(
      'select actor, approver, action, subject, reason from audit_record where merchant_id = $1 order by audit_no offset 1',
      [merchantId],
    )
  ).rows;

test("a request is pending for a day, and executed after another operator's approval; both are recorded", async () => {
  const approval = await aSettlement();
  const { merchantId, approvalId } = approval;
  expect(approval).toMatchObject({
    state: 'pending',
    operation: 'settleWallet',
    subject: 'S-1',
    requestedBy: ann.operatorId,
    decidedBy: null,
  });
  expect(approval.expiresAt - approval.requestedAt).toBe(24 * 60 * 60_000);
  expect(approval.input).toEqual({ ...settlement(merchantId), amount: '20000.00' });
  expect(await available(merchantId)).toBe('50000.00');
  expect(await approve(fixture.domain, bob, approvalId)).toMatchObject({
    ok: true,
    value: { state: 'executed', decidedBy: bob.operatorId, decidedAt: expect.any(Number) },
  });
  expect(await available(merchantId)).toBe('30000.00');
  expect(await records(merchantId)).toEqual([
    {
      actor: ann.operatorId,
      approver: null,
      action: 'requestApproval',
      subject: approvalId,
      reason: 'the bank said so',
    },
    {
      actor: ann.operatorId,
      approver: bob.operatorId,
      action: 'bookWallet',
      subject: 'S-1',
      reason: 'the bank said so',
    },
  ]);
});

test.each([
  ['settleWallet', '10000.00', 'executed'],
  ['settleWallet', '10000.01', 'pending'],
  ['adjustWallet', '10000.00', 'executed'],
  ['adjustWallet', '10000.01', 'pending'],
  ['adjustWallet', '-10000.00', 'executed'],
  ['adjustWallet', '-10000.01', 'pending'],
  ['topUpWallet', '10000.01', 'pending'],
  ['settleWallet', '50000.01', 'balance_insufficient'],
] as const)('%s of %s: %s', async (name, amount, comes) => {
  const merchantId = await aRichMerchant();
  const who = await anOperator(fixture.domain, roles);
  const input = { ...settlement(merchantId, amount), ...(name === 'adjustWallet' && { kind: 'bank' }) };
  expect(await request(fixture.domain, who, name, input)).toBe(comes);
  expect(await pendingApprovals(fixture.domain, bob, 100)).toHaveLength(comes === 'pending' ? 1 : 0);
  for (const approval of await pendingApprovals(fixture.domain, bob, 100)) await drop(bob, approval);
});

test('a rejection executes nothing, and the records have its operator and reason', async () => {
  const approval = await aSettlement();
  expect(await drop(bob, approval)).toBe('rejected');
  const reason = 'not what the bank said';
  expect(await now(approval)).toMatchObject({ state: 'rejected', decidedBy: bob.operatorId, outcome: reason });
  expect(await available(approval.merchantId)).toBe('50000.00');
  expect((await records(approval.merchantId)).at(-1)).toEqual({
    actor: bob.operatorId,
    approver: null,
    action: 'rejectApproval',
    subject: approval.approvalId,
    reason,
  });
  expect(await agree(cid, approval)).toBe('approval_decided');
  expect(await reject(fixture.domain, cid, approval.approvalId, ' ')).toMatchObject({ rejection: 'invalid_input' });
});

test('an approval cannot be decided by its requester, by an operator without the role, or by one who may not see it', async () => {
  const { domain } = fixture;
  const approval = await aSettlement();
  const admin = await anOperator(domain, ['admin', 'viewer', 'support', 'operator']);
  const ofIndia = await anOperator(domain, roles, { countries: ['IN'] });
  const ofAnotherShop = await anOperator(domain, roles, { merchantIds: ['PK-9'] });
  for (const decide of [agree, drop]) {
    expect(await decide(ann, approval)).toBe('own_approval');
    expect(await decide(admin, approval)).toBe('forbidden');
    expect(await decide(ofIndia, approval)).toBe('approval_not_found');
    expect(await decide(ofAnotherShop, approval)).toBe('approval_not_found');
    expect(await decide(bob, { ...approval, approvalId: 'AP0' })).toBe('approval_not_found');
  }
  expect(await pendingApprovals(domain, ofIndia, 10)).toEqual([]);
  expect(await pendingApprovals(domain, ofAnotherShop, 10)).toEqual([]);
  const ofThisShop = await anOperator(domain, roles, { merchantIds: [approval.merchantId], countries: ['PK'] });
  expect((await pendingApprovals(domain, ofThisShop, 10)).map((one) => one.approvalId)).toEqual([approval.approvalId]);
  expect(await now(approval)).toMatchObject({ state: 'pending' });
  expect(await agree(ofThisShop, approval)).toBe('executed');
});

test('a request of an operator who was disabled since is not executed', async () => {
  const { domain } = fixture;
  const retired = await anOperator(domain, roles);
  const result = await requestOperation(domain, retired, 'settleWallet', settlement(await aRichMerchant()), 'a test');
  if (!result.ok || result.state !== 'pending') throw new Error('not pending');
  await setOperatorEnabled(domain, retired.operatorId, false);
  expect(await agree(bob, result.approval)).toBe('asker_disabled');
  await setOperatorEnabled(domain, retired.operatorId, true);
  expect(await agree(bob, result.approval)).toBe('executed');
});

test.each<[string, string]>([
  ['role was removed', "roles = '{viewer}'"],
  ['restriction was narrowed', "countries = '{CN}'"],
])('a request of an operator whose %s since is not executed', async (_what, change) => {
  const { domain } = fixture;
  const suspect = await anOperator(domain, roles);
  const result = await requestOperation(domain, suspect, 'settleWallet', settlement(await aRichMerchant()), 'a test');
  if (!result.ok || result.state !== 'pending') throw new Error('not pending');
  await domain.database.pool.query(`update operator set ${change} where operator_id = $1`, [suspect.operatorId]);
  expect(await agree(bob, result.approval)).toBe('asker_disabled');
  expect(await available(result.approval.merchantId)).toBe('50000.00');
  expect(await drop(bob, result.approval)).toBe('rejected');
});

test('ten concurrent approvals through two processes execute the operation once', async () => {
  for (let round = 0; round < 10; round += 1) {
    const approval = await aSettlement();
    const tries = Array.from({ length: 10 }, (_, i) => {
      const { domain } = i % 2 === 0 ? fixture : other;
      const who = i < 5 ? bob : cid;
      return agree(who, approval, domain).then((outcome) => `${who.operatorId} ${outcome}`);
    });
    const results = new Set(await Promise.all(tries));
    const winner = (await now(approval))?.decidedBy;
    const loser = winner === bob.operatorId ? cid.operatorId : bob.operatorId;
    expect(results).toEqual(new Set([`${winner} executed`, `${loser} approval_decided`]));
    expect(await available(approval.merchantId)).toBe('30000.00');
    expect(await records(approval.merchantId)).toHaveLength(2);
  }
});

test('of a concurrent approval and rejection through two processes one succeeds', async () => {
  for (let round = 0; round < 10; round += 1) {
    const approval = round % 2 === 0 ? await aSettlement() : await ask('setFeeRule', fee(await aRichMerchant()));
    const results = await Promise.all([agree(bob, approval), drop(cid, approval, other.domain)]);
    expect([...results].sort()).toEqual(
      results.includes('executed') ? ['approval_decided', 'executed'] : ['approval_decided', 'rejected'],
    );
    expect((await now(approval))?.state).toBe(results.find((one) => one !== 'approval_decided'));
  }
});

test('after its expiry, by the database’s clock, an approval cannot be decided', async () => {
  const url = fixture.domain.database.orm.config.get('clientUrl') as string;
  const hasty = await openTestDomain(url, { approvalLifetime: 1 });
  try {
    for (const input of [await aRichMerchant(), await aRichMerchant()]) {
      const [money, config] = [
        await ask('settleWallet', settlement(input), hasty.domain),
        await ask('setFeeRule', fee(input), hasty.domain),
      ];
      for (const approval of [money, config]) {
        await waitFor('its end', async () => (await now(approval))?.state === 'expired');
        expect(await agree(bob, approval)).toBe('approval_expired');
        expect(await drop(bob, approval)).toBe('approval_expired');
        // The ledger writer itself stops an operator whose read is older than the expiry.
        const stale = {
          ...fixture.domain,
          database: { ...fixture.domain.database, pool: pretending(approval) },
        } as Domain;
        expect(await agree(bob, approval, stale)).toBe('approval_expired');
      }
      expect(await available(input)).toBe('50000.00');
    }
    expect(await pendingApprovals(fixture.domain, bob, 10)).toEqual([]);
  } finally {
    await hasty.close();
  }
});

/** A pool that once says of an approval what it said before it was over. */
function pretending(approval: Approval) {
  const { pool } = fixture.domain.database;
  let once = true;
  return {
    connect: () => pool.connect(),
    query: async (text: string, values: unknown[]) => {
      if (!once || !/ from approval /.test(text)) return pool.query(text, values);
      once = false;
      return { rows: [approval] };
    },
  };
}

const fee = (merchantId: string): Input => ({ merchantId, kind: 'payin', percent: '3', fixed: '1.00' });

test('a permanent refusal ends the approval as failed, and it can be requested again', async () => {
  const merchantId = await aRichMerchant();
  const second = await ask('settleWallet', settlement(merchantId, '21000'));
  // The number is used meanwhile, for an amount that takes one operator.
  const small = await requestOperation(fixture.domain, bob, 'settleWallet', settlement(merchantId, '1'), 'a test');
  expect(small).toMatchObject({ state: 'executed' });
  const results = await Promise.all([agree(bob, second), agree(cid, second, other.domain)]);
  expect([...results].sort()).toEqual(['approval_decided', 'booking_no_taken']);
  expect(await now(second)).toMatchObject({ state: 'failed', outcome: 'booking_no_taken' });
  expect((await records(merchantId)).at(-1)).toMatchObject({ action: 'failApproval', subject: second.approvalId });
});

test('a second operator who is given with the request approves it in the same call, if they may', async () => {
  const merchantId = await aRichMerchant();
  const at = (who: OperatorContext) =>
    requestOperation(fixture.domain, ann, 'settleWallet', settlement(merchantId), 'a test', { approver: who });
  expect(await at(ann)).toMatchObject({ rejection: 'own_approval' });
  expect(await at(await anOperator(fixture.domain, ['admin']))).toMatchObject({ rejection: 'forbidden' });
  expect(await records(merchantId)).toEqual([]);
  expect(await at(bob)).toMatchObject({ state: 'executed', value: { available: '30000.00' } });
  expect((await records(merchantId)).at(-1)).toMatchObject({ actor: ann.operatorId, approver: bob.operatorId });
});

test('the database refuses changes of requests and decisions', async () => {
  const approval = await aSettlement();
  const { pool } = fixture.domain.database;
  const change = (set: string) =>
    pool.query(`update approval set ${set} where approval_id = $1`, [approval.approvalId]);
  await expect(
    change(`input = '{"amount": "1"}', state = 'executed', decided_by = 'x', decided_at = now()`),
  ).rejects.toThrow(/decided once/);
  await expect(change("state = 'executed', decided_by = asked_by, decided_at = now()")).rejects.toThrow(/check/);
  await agree(bob, approval);
  await expect(change("state = 'pending', decided_by = null, decided_at = null")).rejects.toThrow(/decided once/);
  await expect(pool.query('delete from approval')).rejects.toThrow(/refused/);
});
