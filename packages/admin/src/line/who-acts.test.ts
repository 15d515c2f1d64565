import { platformTenant } from '@tidegate/domain/admin';
import { aMerchant } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminFixture, comeIn, openAdminFixture } from '../../test/admin-fixture.ts';

let fixture: AdminFixture;
let merchantId: string;
beforeAll(async () => {
  fixture = await openAdminFixture();
  ({ merchantId } = await aMerchant(fixture.domain, 'PK'));
  await fixture.json(
    ['top-up', merchantId, '--amount', '90000', '--booking-no', 'T1', '--remark', 'r', ...why],
    both(),
  );
});
afterAll(() => fixture.close());

const why = ['--reason', 'because of it'];
const both = () => ({ env: { TIDEGATE_APPROVER_TOKEN: fixture.tokens.bob } });
const settle = (no: string): string[] => [
  'settle',
  merchantId,
  '--amount',
  '20000',
  '--booking-no',
  no,
  '--remark',
  'r',
  ...why,
];
const recordsOf = async (tenant: string) =>
  (
    await fixture.domain.database.pool.query(
      'select actor, approver, action, subject, reason, detail from audit_record where merchant_id = $1 order by audit_no',
      [tenant],
    )
  ).rows;

test('a missing or wrong token, or a missing role, is refused', async () => {
  const disable = ['disable-merchant', merchantId, ...why];
  const as = (token: string) => fixture.run(disable, { env: { TIDEGATE_OPERATOR_TOKEN: token } });
  expect(await as('')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('TIDEGATE_OPERATOR_TOKEN') });
  const wrong = `${fixture.tokens.bob.slice(0, -4)}AAAA`;
  expect(await as(wrong)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('unknown, expired') });
  expect(await as(fixture.tokens.vera)).toMatchObject({
    code: 1,
    err: expect.stringContaining('vera lacks the role admin'),
  });
  expect((await fixture.domain.directory.merchant(merchantId))?.status).toBe('active');
  const reading = await fixture.run(['show-wallet', merchantId], {
    env: { TIDEGATE_OPERATOR_TOKEN: fixture.tokens.vera },
  });
  expect(reading.code).toBe(0);
});

test('a change without a reason is refused', async () => {
  expect(await fixture.run(['disable-merchant', merchantId])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--reason'),
  });
  expect(await fixture.run(['disable-merchant', merchantId, '--reason', ' '])).toMatchObject({ code: 2 });
});

test('the second operator must be another enabled operator with the same role', async () => {
  const { alice, bob, vera } = fixture.tokens;
  const with_ = (token: string) => fixture.run(settle('S1'), { env: { TIDEGATE_APPROVER_TOKEN: token } });
  expect(await fixture.run(settle('S0'))).toMatchObject({ code: 4, out: expect.stringContaining('second operator') });
  expect(await with_(alice)).toMatchObject({
    code: 1,
    err: expect.stringContaining('the second operator must not be alice'),
  });
  expect(await with_(vera)).toMatchObject({ code: 1, err: expect.stringContaining('vera lacks the role finance') });
  await fixture.json(['disable-operator', 'bob', ...why]);
  expect(await with_(bob)).toMatchObject({ code: 1, err: expect.stringContaining('disabled') });
  // With one admin left there is no approver, so access to the database is needed.
  await fixture.domain.database.pool.query("update operator set enabled = true where operator_id = 'bob'");
  const untouched = await fixture.json<{ available: string }>(['show-wallet', merchantId]);
  expect(untouched.available).toBe('90000.00');
  expect(await with_(bob)).toMatchObject({ code: 0 });
  expect(await recordsOf(merchantId)).toContainEqual(
    expect.objectContaining({ actor: 'alice', approver: 'bob', action: 'bookWallet', reason: 'because of it' }),
  );
});

test('expired and revoked tokens are refused', async () => {
  const create = (file: string, options: string[] = []) =>
    comeIn(fixture.json, fixture.path(file), 'vera', fixture.tokens.bob, options);
  const created = await create('one.code', ['--expires-at', '2099-01-01']);
  const reads = async (token: string) =>
    (await fixture.run(['list-cases'], { env: { TIDEGATE_OPERATOR_TOKEN: token } })).code;
  expect(await reads(created.token)).toBe(0);
  await fixture.domain.database.pool.query(
    'update operator_token set expires_at = clock_timestamp() where left(token_hash, 12) = $1',
    [created.tokenId],
  );
  expect(await reads(created.token)).toBe(1);
  const other = await create('two.code');
  expect(await reads(other.token)).toBe(0);
  await fixture.json(['revoke-token', 'vera', ...why]);
  expect(await reads(other.token)).toBe(1);
  // Her own current token stays.
  expect((await fixture.run(['revoke-token', 'alice', ...why])).code).toBe(1);
  expect((await fixture.run(['list-cases'])).code).toBe(0);
});

test('every change of configuration is in the audit records, without secrets', async () => {
  const given = { stdin: '{"secret":"hush-hush"}', ...both() };
  const channel = [
    'set-channel',
    'acme',
    '--adapter',
    'sandbox',
    '--base-url',
    'http://acme.test',
    '--credentials-file',
    '-',
  ];
  const ran = await fixture.run([...channel, ...why], given);
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.out + ran.err).not.toContain('hush');
  expect(
    (
      await fixture.run(['set-fee', merchantId, '--kind', 'payin', '--percent', '3', '--fixed', '1', ...why], {
        env: { TIDEGATE_APPROVER_TOKEN: fixture.tokens.bob },
      })
    ).code,
  ).toBe(0);
  expect((await fixture.run(['remove-route', merchantId, '99', ...why])).code).toBe(1);
  const platform = await recordsOf(platformTenant);
  expect(platform[0]).toMatchObject({ actor: 'first set-up', subject: 'alice' });
  expect(platform.at(-1)).toMatchObject({ actor: 'alice', action: 'setChannel', subject: 'acme' });
  const own = await recordsOf(merchantId);
  expect(JSON.parse(own.at(-1).detail)).toMatchObject({
    change: 'setFeeRule',
    before: { percent: '2.5000' },
    after: { percent: '3', fixed: '1.00' },
  });
  const all = JSON.stringify([...platform, ...own]);
  for (const secret of ['hush', 'tgo_', ...Object.values(fixture.tokens)]) expect(all).not.toContain(secret);
});

test('with two admins no further operator can be created without approval', async () => {
  const again = ['create-operator', 'mallory', '--name', 'M', '--roles', 'admin', ...why];
  expect(await fixture.run(again, { env: { TIDEGATE_OPERATOR_TOKEN: '' } })).toMatchObject({ code: 2, out: '' });
});

test('a restricted operator sees their merchants and approvals, but no platform lists', async () => {
  const { merchantId: elsewhere } = await aMerchant(fixture.domain, 'IN');
  const name = ['--name', 'Rita', '--roles', 'finance'];
  const requested = await fixture.run(['create-operator', 'rita', ...name, '--countries', 'PK', ...why, '--json']);
  expect(requested).toMatchObject({ code: 4 });
  const asBob = { env: { TIDEGATE_OPERATOR_TOKEN: fixture.tokens.bob } };
  const agreed = (ran: { out: string }) =>
    fixture.json<{ token: string }>(['approve', JSON.parse(ran.out).approvalId], asBob);
  expect(await agreed(requested)).not.toHaveProperty('token');
  const { token } = await comeIn(fixture.json, fixture.path('rita.code'), 'rita', fixture.tokens.bob);
  const env = { TIDEGATE_OPERATOR_TOKEN: token };
  expect(await fixture.run(['show-wallet', merchantId], { env })).toMatchObject({ code: 0 });
  for (const other of [elsewhere, 'IN-NONE'])
    expect(await fixture.run(['show-wallet', other], { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining(`there is no merchant ${other}`),
    });
  expect(await fixture.run(['list-cases'], { env })).toMatchObject({
    code: 1,
    err: expect.stringContaining('GraphQL'),
  });
  expect(await fixture.run(settle('S9'))).toMatchObject({ code: 4 });
  const waiting = await fixture.json<{ approvalId: string; merchantId: string }[]>(['list-approvals'], { env });
  expect(waiting.map((one) => one.merchantId)).toEqual(Array(waiting.length).fill(merchantId));
  expect(await fixture.run(['approve', waiting.at(-1)?.approvalId ?? ''], { env })).toMatchObject({ code: 0 });
});
