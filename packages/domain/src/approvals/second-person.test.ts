import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperatorContext, Role } from '../core/operator-rights.ts';
import { wipeEndedSecrets } from '../ledger/wipe-ended-secrets.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator, requestAndWithdraw } from '../testing/operators.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { approve } from './approve.ts';
import type { OperationName } from './operations.ts';
import { requestOperation } from './request-operation.ts';

// What takes one operator and what takes two, who may grant what, and what is left of undecided approvals.

let fixture: TestDomain;
let brief: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
let merchantId: string;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  fixture = await openTestDomain(url);
  brief = await openTestDomain(url, { approvalLifetime: 1 });
  [ann, bob] = [await anOperator(fixture.domain, ['admin', 'finance']), await anOperator(fixture.domain, ['admin'])];
  ({ merchantId } = await aMerchant(fixture.domain, 'TH'));
});
afterAll(() => Promise.all([fixture.close(), brief.close()]));

const sql = (text: string, values: unknown[] = []) => fixture.domain.database.pool.query(text, values);
const resultOf = (name: OperationName, input: object, who = ann) =>
  requestAndWithdraw(fixture.domain, who, name, input);

test.each<[string, OperationName, object, string]>([
  ['stopping a channel', 'disableChannel', { channelId: 'fake' }, 'executed'],
  ['enabling the channel again', 'enableChannel', { channelId: 'fake' }, 'pending'],
  [
    'mapping a bank',
    'mapBank',
    { channelId: 'fake', kind: 'payout', bankCode: 'HBL', channelBankCode: 'H' },
    'pending',
  ],
])('%s: %s is %s', async (_, name, input, expected) => {
  expect(await resultOf(name, input)).toBe(expected);
});

test.each<[object, string]>([
  [{ payinEnabled: false, payoutEnabled: false }, 'executed'],
  [{ payoutEnabled: true }, 'pending'],
  [{ name: 'Renamed', requestBurst: 7 }, 'executed'],
  [{ payinMax: '600' }, 'executed'],
  [{ payinMax: '601' }, 'pending'],
  [{ ipAllowList: ['203.0.113.7'] }, 'executed'],
  // Unchanged values do not count.
  [{ ipAllowList: ['203.0.113.7'], payinMax: '600', payinEnabled: false }, 'executed'],
  [{ ipAllowList: null }, 'pending'],
  [{ defaultNotifyUrl: 'http://127.0.0.1:9999/n' }, 'pending'],
])('a change of the merchant settings to %j is %s', async (settings, expected) => {
  expect(await resultOf('setMerchant', { merchantId, ...settings })).toBe(expected);
});

test('returned money counts towards the daily limit, as credited money does', async () => {
  for (const [caseNo, amount] of [
    ['1', '9000.00'],
    ['2', '1000.01'],
  ] as const) {
    const order = await placePayin(fixture.domain, merchantId, 'TH');
    await fixture.domain.commit(aReport(order, { outcome: 'failed', reason: 'no' }));
    await fixture.domain.commit(aReport(order, paid(`P${caseNo}`, amount)));
  }
  const carol = await anOperator(fixture.domain, ['finance']);
  expect(await resultOf('returnCase', { merchantId, caseNo: 1 }, carol)).toBe('executed');
  expect(await resultOf('returnCase', { merchantId, caseNo: 2 }, carol)).toBe('pending');
  // Another operator has a limit of their own.
  expect(await resultOf('returnCase', { merchantId, caseNo: 2 }, await anOperator(fixture.domain, ['finance']))).toBe(
    'executed',
  );
});

const aColleague = (roles: Role[]) => ({ operatorId: `new-${roles.join('-')}-${Math.random()}`, name: 'New', roles });

test('an admin grants the roles that they hold, and no other', async () => {
  expect(await resultOf('createOperator', aColleague(['finance', 'viewer']))).toBe('pending');
  expect(await resultOf('createOperator', aColleague(['finance']), bob)).toBe('forbidden');
  expect(await resultOf('createOperator', aColleague(['admin', 'viewer']), bob)).toBe('pending');
  const { operatorId } = await anOperator(fixture.domain, ['support']);
  // A role that the operator has already is no grant.
  expect(await resultOf('changeOperator', { operatorId, roles: ['support', 'admin'] }, bob)).toBe('pending');
  expect(await resultOf('changeOperator', { operatorId, roles: ['support', 'operator'] }, bob)).toBe('forbidden');
  expect(await resultOf('changeOperator', { operatorId: bob.operatorId, roles: ['admin', 'finance'] }, bob)).toBe(
    'forbidden',
  );
});

test('a role that its requester has lost since is not granted', async () => {
  const carol = await anOperator(fixture.domain, ['admin', 'finance']);
  const requested = await requestOperation(fixture.domain, carol, 'createOperator', aColleague(['finance']), 'a test');
  if (!requested.ok || requested.state !== 'pending') throw new Error(JSON.stringify(requested));
  await sql("update operator set roles = '{admin}' where operator_id = $1", [carol.operatorId]);
  const { approvalId } = requested.approval;
  expect(await approve(fixture.domain, ann, approvalId)).toMatchObject({ ok: false, rejection: 'asker_disabled' });
});

const channel = { channelId: 'acme', adapter: 'fake', baseUrl: 'http://127.0.0.1:9999', credentials: { key: 'hush' } };
const sealed = async () =>
  (
    await sql('select approval_id as id, secrets is not null as sealed from approval where operation = $1', [
      'setChannel',
    ])
  ).rows;

test('the secrets of an approval that expired undecided are deleted, and nothing else changes', async () => {
  await requestOperation(brief.domain, ann, 'setChannel', channel, 'undecided');
  const open = await requestOperation(fixture.domain, ann, 'setChannel', channel, 'still open');
  if (!open.ok || open.state !== 'pending') throw new Error(JSON.stringify(open));
  const { approvalId } = open.approval;
  expect((await sealed()).map((row) => row.sealed)).toEqual([true, true]);
  expect([await wipeEndedSecrets(fixture.domain), await wipeEndedSecrets(fixture.domain)]).toEqual([1, 0]);
  expect(await sealed()).toEqual(
    expect.arrayContaining([
      { id: approvalId, sealed: true },
      { id: expect.not.stringContaining(approvalId), sealed: false },
    ]),
  );
  const spoil = (set: string, id: string) => sql(`update approval set ${set} where approval_id = $1`, [id]);
  const ended = (await sealed()).find((row) => !row.sealed)?.id;
  await expect(spoil("secrets = null, reason = 'another'", ended)).rejects.toThrow('never changed');
  await expect(spoil('secrets = null', approvalId)).rejects.toThrow('never changed');
  await expect(spoil("also_subjects = '{case 7}', secrets = null", approvalId)).rejects.toThrow('never changed');
  // The owner seals them again, with another key.
  expect((await spoil("secrets = '\\x01'", approvalId)).rowCount).toBe(1);
});
