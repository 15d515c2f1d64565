import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator, request, requestAndWithdraw } from '../testing/operators.ts';
import { aReport, placePayin } from '../testing/payins.ts';
import { aFundedMerchant } from '../testing/payouts.ts';
import { approvalById, makeApprovalId } from './approvals.ts';
import { approve } from './approve.ts';
import { reject } from './reject.ts';
import { requestOperation } from './request-operation.ts';

// What is said twice, the wrong way round, or in a form of old.

let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ({ merchantId } = await aFundedMerchant(fixture.domain, 'PK'));
});
afterAll(() => fixture.close());

const finance = ['finance'] as const;
const unique = (): string => randomBytes(6).toString('hex').toUpperCase();

test('of ten equal top-ups at once one is booked, and the nine others report that it was already booked', async () => {
  const { domain } = fixture;
  const who = await anOperator(domain, finance);
  const input = { merchantId, amount: '7', bookingNo: unique(), remark: 'r' };
  const requested = await Promise.all(
    Array.from({ length: 10 }, () => requestOperation(domain, who, 'topUpWallet', input, 'a test')),
  );
  const alreadyBooked = requested.map((one) => one.ok && one.state === 'executed' && one.value.alreadyBooked);
  expect(alreadyBooked.toSorted()).toEqual([false, ...Array.from({ length: 9 }, () => true)]);
});

test('a cancel that the channel does not confirm is recorded with the answer of the channel', async () => {
  const { domain, channel } = fixture;
  const payin = await placePayin(domain, merchantId, 'PK');
  await domain.commit(aReport(payin, { outcome: 'accepted', channelRef: 'R' }, 'create'));
  channel.answers.cancel = { outcome: 'unknown', why: 'no_answer', detail: '' };
  const who = await anOperator(domain, ['operator']);
  expect(await request(domain, who, 'cancelOrder', { orderNo: payin.orderNo })).toBe('not_cancellable');
  const { rows } = await domain.database.pool.query(
    'select actor, action, reason, detail::jsonb -> $3 as after from audit_record where merchant_id = $1 and subject = $2',
    [merchantId, payin.orderNo, 'after'],
  );
  const after = { status: 'processing', answer: 'unknown' };
  expect(rows).toEqual([
    { actor: who.operatorId, action: 'cancelOrderUnconfirmed', reason: expect.any(String), after },
  ]);
});

test.each([
  ['setRoute', { routeNo: 9, kind: 'payin', channelId: 'fake', minAmount: '2', maxAmount: '1.99' }, 'maxAmount'],
  ['setMerchant', { payinMin: '2', payinMax: '1.99' }, 'payinMin'],
] as const)('%s refuses a minimum above the maximum', async (name, input, path) => {
  const { domain } = fixture;
  const who = await anOperator(domain, ['admin']);
  const requested = await requestOperation(domain, who, name, { merchantId, ...input }, 'a test');
  expect(requested).toMatchObject({ ok: false, rejection: 'invalid_input', fields: [{ path }] });
});

test('repeated roles, countries and merchants are refused', async () => {
  const { domain } = fixture;
  const who = await anOperator(domain, ['admin']);
  const mei = { operatorId: `mei-${unique().toLowerCase()}`, name: 'Mei', roles: ['viewer'] };
  for (const twice of [{ roles: ['viewer', 'viewer'] }, { countries: ['CN', 'CN'] }, { merchantIds: ['M-1', 'M-1'] }])
    expect(await requestOperation(domain, who, 'createOperator', { ...mei, ...twice }, 'a test')).toMatchObject({
      rejection: 'invalid_input',
      fields: [{ path: Object.keys(twice)[0], reason: 'names one twice' }],
    });
});

test('an approval with an outdated input cannot be executed, only rejected', async () => {
  const { domain } = fixture;
  const [ann, bob] = [await anOperator(domain, finance), await anOperator(domain, finance)];
  const approvalId = makeApprovalId();
  const by = { actor: ann.operatorId, approver: null, reason: 'a test' };
  const kept = {
    operation: 'settleWallet',
    subject: 'S-1',
    alsoSubjects: [],
    input: { amount_of_old: '20000.00' },
    effect: null,
    secrets: null,
  };
  await domain.commit({ type: 'requestApproval', merchantId, approvalId, ...kept, lifetime: 60_000, by });
  expect(await approve(domain, bob, approvalId)).toEqual({ ok: false, rejection: 'approval_outdated' });
  expect(await approvalById(domain, approvalId)).toMatchObject({ state: 'pending' });
  const otherOperator = await anOperator(domain, finance, { countries: ['CN'] });
  expect(await reject(domain, otherOperator, approvalId, 'a test')).toMatchObject({ rejection: 'approval_not_found' });
  expect(await reject(domain, bob, approvalId, 'a test')).toMatchObject({ ok: true, value: { state: 'rejected' } });
});

test('creating or enabling an operator needs a second operator', async () => {
  const { domain } = fixture;
  const [ann, bob] = [await anOperator(domain, ['admin']), await anOperator(domain, ['admin'])];
  const operatorId = `mei-${unique().toLowerCase()}`;
  const requested = await requestOperation(
    ...([domain, ann, 'createOperator', { operatorId, name: 'Mei', roles: ['viewer'] }, 'a test'] as const),
  );
  if (!requested.ok || requested.state !== 'pending') throw new Error('it was not kept');
  expect(await approve(domain, ann, requested.approval.approvalId)).toMatchObject({ rejection: 'own_approval' });
  expect(await approve(domain, bob, requested.approval.approvalId)).toMatchObject({ ok: true });
  expect(await request(domain, ann, 'disableOperator', { operatorId })).toBe('executed');
  expect(await requestAndWithdraw(domain, ann, 'enableOperator', { operatorId })).toBe('pending');
  expect(await request(domain, ann, 'changeOperator', { operatorId, name: 'Mei Lin' })).toBe('executed');
  for (const more of [{ roles: ['admin'] }, { countries: null }, { merchantIds: null }])
    expect(await requestAndWithdraw(domain, ann, 'changeOperator', { operatorId, ...more })).toBe('pending');
});

const fingerprint = 'cd'.repeat(32);
test.each([
  ['inviteOperator', () => ({ operatorId: 'nobody', fingerprint }), 'operator_not_found'],
  [
    'inviteOperator',
    (there: string) => ({ operatorId: there, fingerprint, expiresAt: 978_307_200_000 }),
    'invalid_input',
  ],
  ['createOperator', (there: string) => ({ operatorId: there, name: 'V', roles: ['viewer'] }), 'operator_exists'],
  ['changeOperator', () => ({ operatorId: 'nobody', roles: ['viewer'] }), 'operator_not_found'],
] as const)('an impossible %s is refused, even with an approval', async (name, input, rejection) => {
  const { domain } = fixture;
  const [ann, bob] = [await anOperator(domain, ['admin']), await anOperator(domain, ['admin'])];
  const done = await requestOperation(domain, ann, name, input(ann.operatorId), 'a test', { approver: bob });
  expect(done).toMatchObject({ ok: false, rejection });
});
