import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import { roles } from '../core/operator-rights.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator, request } from '../testing/operators.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant } from '../testing/payouts.ts';
import type { OperationName } from './operations.ts';
import { requestOperation } from './request-operation.ts';

// What the operations refuse, what they give, and what is left of them in the records.

let fixture: TestDomain;
let merchantId: string;
let viewer: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ({ merchantId } = await aFundedMerchant(fixture.domain, 'PK', '50000.00', 'market'));
  ({ operatorId: viewer } = await anOperator(fixture.domain, ['viewer']));
});
afterAll(() => fixture.close());

type Input = { [name: string]: unknown };
const manual = async (): Promise<Input> => ({
  orderNo: (await placePayin(fixture.domain, merchantId, 'PK', { mode: 'manual' })).orderNo,
});
const unique = (): string => Math.random().toString(36).slice(2, 10).toUpperCase();
const admin = ['admin'] as const;
const finance = ['finance'] as const;

test.each<[OperationName, Input, string[]]>([
  [
    'settleWallet',
    { merchantId: 'PK-1', amount: '1e3', bookingNo: 'ß', remark: ' ' },
    ['bookingNo', 'remark', 'amount'],
  ],
  ['settleWallet', { merchantId: 'PK-1', amount: 5, bookingNo: 'B', remark: 'r' }, ['amount']],
  ['settleWallet', { merchantId: 'PK-1', amount: '5', bookingNo: 'B', remark: 'r', approver: 'bob' }, ['approver']],
  ['setFeeRule', { merchantId: 'PK-1', kind: 'payin', percent: '101', fixed: '-1' }, ['percent', 'fixed']],
  [
    'setFeeRule',
    { merchantId: 'PK-1', kind: 'payin', percent: '1', fixed: '1', minimum: '2', maximum: '1.99' },
    ['maximum'],
  ],
  ['addMerchantKey', { merchantId: 'PK-1', publicKey: 'hush' }, ['publicKey']],
  ['setChannel', { channelId: 'acme', adapter: 'fake' }, ['baseUrl', 'credentials']],
  ['createOperator', { operatorId: 'bob', name: 'Bob', roles: ['god'], countries: [] }, ['roles.0', 'countries']],
  ['rotateServiceKey', { merchantId: 'PK-1', overlapHours: 1.5 }, ['overlapHours']],
  ['creditCase', { merchantId: 'PK-1', caseNo: 0 }, ['caseNo']],
])('%s with %j reports the invalid fields', async (name, input, wrong) => {
  const who = await anOperator(fixture.domain, roles);
  const done = await requestOperation(fixture.domain, who, name, input, 'a test');
  expect(done).toMatchObject({ ok: false, rejection: 'invalid_input' });
  const fields = done.ok ? [] : (done.fields ?? []);
  expect(fields.map(({ path }) => path)).toEqual(wrong);
  expect(JSON.stringify(fields)).not.toContain('hush');
  for (const reason of ['', ' ', 'x'.repeat(501)])
    expect(await requestOperation(fixture.domain, who, 'enableMerchant', { merchantId }, reason)).toMatchObject({
      fields: [{ path: 'reason' }],
    });
});

test.each<[string, OperationName, () => Input, string]>([
  ['a merchant that is there', 'createMerchant', () => ({ merchantId, name: 'N', country: 'PK' }), 'merchant_exists'],
  [
    "a name of the platform's own",
    'createMerchant',
    () => ({ merchantId: 'PLATFORM-X', name: 'N', country: 'PK' }),
    'invalid_input',
  ],
  [
    'a private address',
    'createMerchant',
    () => ({ merchantId: 'NEW-P', name: 'N', country: 'PK', defaultNotifyUrl: 'http://10.0.0.1/' }),
    'invalid_input',
  ],
  ['no such merchant', 'disableMerchant', () => ({ merchantId: 'PK-NONE' }), 'merchant_not_found'],
  ["the platform's tenant", 'disableMerchant', () => ({ merchantId: 'PLATFORM-PK' }), 'merchant_not_found'],
  ['limits upside down', 'setMerchant', () => ({ merchantId, payoutMin: '10', payoutMax: '9.99' }), 'invalid_input'],
  ['nothing to set', 'setMerchant', () => ({ merchantId }), 'invalid_input'],
  [
    'no such channel',
    'setRoute',
    () => ({ merchantId, routeNo: 9, kind: 'payin', channelId: 'nowhere' }),
    'channel_not_found',
  ],
  ['no such route', 'removeRoute', () => ({ merchantId, routeNo: 99 }), 'route_not_found'],
  [
    'no such channel to map',
    'mapBank',
    () => ({ channelId: 'nowhere', kind: 'payin', bankCode: 'HBL', channelBankCode: 'H' }),
    'channel_not_found',
  ],
  [
    'an adapter that is not installed',
    'setChannel',
    () => ({ channelId: 'acme', adapter: 'acme', baseUrl: 'http://a.test', credentials: {} }),
    'invalid_input',
  ],
  ['no such channel to disable', 'disableChannel', () => ({ channelId: 'nowhere' }), 'channel_not_found'],
  [
    'an operator who has no such token',
    'revokeOperatorTokens',
    () => ({ operatorId: viewer, tokenId: 'ab'.repeat(6) }),
    'token_not_found',
  ],
  ['no such order', 'cancelOrder', () => ({ orderNo: 'PO1' }), 'order_not_found'],
  ['no such case', 'creditCase', () => ({ merchantId, caseNo: 999 }), 'case_not_found'],
  [
    'more than there is',
    'adjustWallet',
    () => ({ merchantId: 'PK-POOR', kind: 'bank', amount: '-1', bookingNo: 'A1', remark: 'r' }),
    'merchant_not_found',
  ],
])('%s: %s is refused, and leaves no record', async (_, name, input, expected) => {
  const { pool } = fixture.domain.database;
  const records = async () => (await pool.query('select count(*)::integer as n from audit_record')).rows[0].n;
  const before = await records();
  expect(await request(fixture.domain, await anOperator(fixture.domain, roles), name, input())).toBe(expected);
  expect(await records()).toBe(before);
});

test('operators cannot remove their own access', async () => {
  const { domain } = fixture;
  const me = { ...(await anOperator(domain, roles)), tokenId: 'abcdefabcdef' };
  const { operatorId } = me;
  expect(await request(domain, me, 'disableOperator', { operatorId })).toBe('own_access');
  const second = await anOperator(domain, roles);
  for (const input of [{ roles: ['viewer'] }, { countries: ['PK'] }])
    expect(
      await requestOperation(domain, me, 'changeOperator', { operatorId, ...input }, 'a test', { approver: second }),
    ).toMatchObject({ rejection: 'own_access' });
  expect(await request(domain, me, 'changeOperator', { operatorId })).toBe('invalid_input');
  expect(await request(domain, me, 'changeOperator', { operatorId, name: 'Me' })).toBe('executed');
  expect(await request(domain, me, 'revokeOperatorTokens', { operatorId, tokenId: me.tokenId })).toBe('own_access');
});

test('a repeated booking changes nothing, and another one with its number is refused', async () => {
  const { domain } = fixture;
  const who = await anOperator(domain, finance);
  const input = { merchantId, amount: '7', bookingNo: unique(), remark: 'r' };
  const top = () => requestOperation(domain, who, 'topUpWallet', input, 'a test');
  expect(await top()).toMatchObject({ value: { change: '7.00', alreadyBooked: false } });
  expect(await top()).toMatchObject({ value: { change: '7.00', alreadyBooked: true } });
  expect(await request(domain, who, 'topUpWallet', { ...input, amount: '8' })).toBe('booking_no_taken');
  expect(await request(domain, who, 'settleWallet', input)).toBe('booking_no_taken');
});

test('a refresh queries the channel now, books the answer, and records the operator', async () => {
  const { domain, channel } = fixture;
  const payin = await placePayin(domain, merchantId, 'PK');
  await domain.commit(aReport(payin, { outcome: 'accepted', channelRef: 'R' }, 'create'));
  channel.answers.query = paid(`Q-${payin.orderNo}`);
  const who = await anOperator(domain, ['support']);
  const requested = await requestOperation(domain, who, 'refreshOrder', { orderNo: payin.orderNo }, 'they called');
  expect(requested).toMatchObject({ ok: true, value: { status: 'completed' } });
  expect(await lastRecord(merchantId)).toMatchObject({
    actor: who.operatorId,
    action: 'refreshOrder',
    subject: payin.orderNo,
    reason: 'they called',
    detail: { before: { status: 'processing' }, after: { status: 'completed', answer: 'paid' } },
  });
  expect(await request(domain, who, 'refreshOrder', await manual())).toBe('operation_not_available');
});

async function lastRecord(tenant: string) {
  const text = 'select * from audit_record where merchant_id = $1 order by audit_no desc limit 1';
  const { rows } = await fixture.domain.database.pool.query(text, [tenant]);
  return { ...rows[0], detail: JSON.parse(rows[0].detail) };
}

test.each<[OperationName, () => Input, string, object | null, object | null]>([
  ['setMerchant', () => ({ merchantId, payinMax: '400' }), 'mine', { payinMax: '500.00' }, { payinMax: '400.00' }],
  ['disableMerchant', () => ({ merchantId }), 'mine', { status: 'active' }, { status: 'disabled' }],
  [
    'setRoute',
    () => ({ merchantId, routeNo: 1, kind: 'payin', channelId: 'fake', priority: 5 }),
    'mine',
    { priority: 100, enabled: true },
    { priority: 5 },
  ],
  ['removeRoute', () => ({ merchantId, routeNo: 1 }), 'mine', { priority: 5, channelId: 'fake' }, null],
  [
    'setChannel',
    () => ({ channelId: 'fake', adapter: 'fake', baseUrl: 'http://new.test', credentials: { secret: 'hush-hush' } }),
    'PLATFORM',
    { baseUrl: 'http://fake.test' },
    { baseUrl: 'http://new.test', credentialNames: ['secret'] },
  ],
  ['disableChannel', () => ({ channelId: 'fake' }), 'PLATFORM', { enabled: false }, { enabled: false }],
  [
    'mapBank',
    () => ({ channelId: 'fake', kind: 'payout', bankCode: 'HBL', channelBankCode: 'J' }),
    'PLATFORM',
    { channelBankCode: 'H' },
    { channelBankCode: 'J' },
  ],
  [
    'changeOperator',
    () => ({ operatorId: viewer, roles: ['support'] }),
    'PLATFORM',
    { roles: ['viewer'] },
    { roles: ['support'] },
  ],
  [
    'inviteOperator',
    () => ({ operatorId: viewer, fingerprint: 'ab'.repeat(32) }),
    'PLATFORM',
    null,
    { invitationId: 'ab'.repeat(6), fingerprint: 'ab'.repeat(32) },
  ],
])('the record of %s has the values before and after, without secrets', async (name, input, where, before, after) => {
  const who = await anOperator(fixture.domain, roles);
  if (name === 'disableMerchant') await request(fixture.domain, who, 'enableMerchant', { merchantId });
  if (name === 'disableChannel') await request(fixture.domain, who, 'disableChannel', { channelId: 'fake' });
  const second = await anOperator(fixture.domain, roles);
  const earlier = { mapBank: { ...input(), channelBankCode: 'H' }, setMerchant: { merchantId, payinMax: '500' } }[
    name as string
  ];
  if (earlier) await requestOperation(fixture.domain, who, name, earlier, 'a test', { approver: second });
  const done = await requestOperation(fixture.domain, who, name, input(), 'a test', { approver: second });
  expect(done).toMatchObject({ ok: true, state: 'executed' });
  const { actor, reason, detail } = await lastRecord(where === 'mine' ? merchantId : where);
  expect({ actor, reason }).toEqual({ actor: who.operatorId, reason: 'a test' });
  expect(detail.before ?? null).toEqual(before && expect.objectContaining(before));
  expect(detail.after ?? null).toEqual(after && expect.objectContaining(after));
  const { rows } = await fixture.domain.database.pool.query('select string_agg(detail, $1) as all from audit_record', [
    '\n',
  ]);
  expect(rows[0].all).not.toMatch(/hush|tgo_|PRIVATE/);
});

test('a change without a record is rolled back', async () => {
  const { domain } = fixture;
  const { pool } = domain.database;
  const who = await anOperator(domain, admin);
  await request(domain, who, 'enableMerchant', { merchantId });
  await pool.query(`create function no_records() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$;
    create trigger no_records before insert on audit_record for each row execute function no_records()`);
  try {
    await expect(request(domain, who, 'disableMerchant', { merchantId })).rejects.toThrow('the disk is full');
  } finally {
    await pool.query('drop trigger no_records on audit_record; drop function no_records');
  }
  const { rows } = await pool.query('select status from merchant where merchant_id = $1', [merchantId]);
  expect(rows).toEqual([{ status: 'active' }]);
});

test('each of several concurrent changes gets its own number among the audit records', async () => {
  const { domain } = fixture;
  const who = await anOperator(domain, roles);
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, i) => [
      request(domain, who, 'setMerchant', { merchantId, requestBurst: i + 1 }),
      request(domain, who, 'disableChannel', { channelId: 'fake' }),
      request(domain, who, 'topUpWallet', { merchantId, amount: '1', bookingNo: unique(), remark: 'r' }),
    ]).flat(),
  );
  expect(new Set(results)).toEqual(new Set(['executed']));
  expect((await audit(domain)).violations).toEqual([]);
});

test('absent fields of an operator stay, and null removes a restriction', async () => {
  const { domain } = fixture;
  const who = await anOperator(domain, ['admin', 'finance']);
  const { operatorId } = await anOperator(domain, ['viewer'], { countries: ['PK'], merchantIds: ['PK-1'] });
  const second = await anOperator(domain, admin);
  const change = (input: Input) =>
    requestOperation(domain, who, 'changeOperator', { operatorId, ...input }, 'a test', { approver: second });
  expect(await change({ roles: ['finance'] })).toMatchObject({
    value: { operatorId, name: 'Test Operator', roles: ['finance'], countries: ['PK'], merchantIds: ['PK-1'] },
  });
  expect(await change({ countries: null })).toMatchObject({
    value: { roles: ['finance'], countries: null, merchantIds: ['PK-1'] },
  });
});
