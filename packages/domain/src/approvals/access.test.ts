import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorOfToken } from '../configuration/operator-of-token.ts';
import { fingerprintOf, makeCode, redeemInvitation } from '../configuration/redeem-invitation.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator, request } from '../testing/operators.ts';
import { approvalById } from './approvals.ts';
import { approve } from './approve.ts';
import { requestOperation } from './request-operation.ts';

// How a new operator gets access: by their own code, whose fingerprint two operators approve.

let fixture: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  [ann, bob] = [await anOperator(fixture.domain, ['admin']), await anOperator(fixture.domain, ['admin'])];
});
afterAll(() => fixture.close());

const sql = (text: string, values: unknown[] = []) => fixture.domain.database.pool.query(text, values);
const aCode = (): string => makeCode(randomBytes(32));
const aColleague = async (): Promise<string> => (await anOperator(fixture.domain, ['viewer'])).operatorId;

/** An invitation that two have agreed to; gives all that the two have seen of it. */
async function invite(operatorId: string, code: string, input: object = {}): Promise<string> {
  const values = { operatorId, fingerprint: fingerprintOf(code), ...input };
  const requested = await requestOperation(fixture.domain, ann, 'inviteOperator', values, 'a new colleague');
  if (!requested.ok || requested.state !== 'pending') throw new Error(JSON.stringify(requested));
  const { approvalId } = requested.approval;
  const approved = await approve(fixture.domain, bob, approvalId);
  if (!approved.ok) throw new Error(approved.rejection);
  return JSON.stringify([requested, approved, await approvalById(fixture.domain, approvalId)]);
}
const redeem = async (code: string): Promise<string> => {
  const done = await redeemInvitation(fixture.domain, code);
  return done.ok ? done.value.token : done.rejection;
};
const tokens = async (operatorId: string): Promise<number> =>
  (await sql('select count(*)::integer as n from operator_token where operator_id = $1', [operatorId])).rows[0].n;

test("neither requester nor approver ever sees the new operator's code or token", async () => {
  const operatorId = await aColleague();
  const code = aCode();
  const before = await tokens(operatorId);
  const seen = await invite(operatorId, code);
  expect(await tokens(operatorId)).toBe(before);
  const token = await redeem(code);
  expect(await operatorOfToken(fixture.domain, token)).toMatchObject({ operatorId });
  const records = await sql('select string_agg(detail, $1) as all from audit_record', ['\n']);
  const rows = await sql('select * from operator_invitation');
  for (const text of [seen, records.rows[0].all, JSON.stringify(rows.rows)])
    for (const secret of [code, code.slice(4), token, token.slice(4)]) expect(text).not.toContain(secret);
  const last = await sql("select actor, approver, subject from audit_record where action = 'redeemInvitation'");
  expect(last.rows).toEqual([{ actor: operatorId, approver: null, subject: operatorId }]);
});

test('a code is redeemed once, also by concurrent calls', async () => {
  const operatorId = await aColleague();
  const code = aCode();
  await invite(operatorId, code);
  const results = await Promise.all([1, 2, 3].map(() => redeem(code)));
  expect(results.filter((one) => one.startsWith('tgo_'))).toHaveLength(1);
  expect(await redeem(code)).toBe('invitation_not_found');
});

test('a code cannot be redeemed before its approval', async () => {
  const code = aCode();
  const input = { operatorId: await aColleague(), fingerprint: fingerprintOf(code) };
  expect(await request(fixture.domain, ann, 'inviteOperator', input)).toBe('pending');
  for (const one of [code, aCode(), '', 'tgi_', `${code}x`]) expect(await redeem(one)).toBe('invitation_not_found');
});

test.each<[string, (operatorId: string) => Promise<unknown>]>([
  [
    'whose 72 hours are over',
    (id) =>
      sql(
        "update operator_invitation set created_at = now() - interval '80 hours', expires_at = now() where operator_id = $1",
        [id],
      ),
  ],
  ['whose operator was disabled', (operatorId) => request(fixture.domain, ann, 'disableOperator', { operatorId })],
  [
    'whose operator lost their tokens',
    (operatorId) => request(fixture.domain, ann, 'revokeOperatorTokens', { operatorId }),
  ],
])('an invitation %s has ended', async (_, end) => {
  const operatorId = await aColleague();
  const code = aCode();
  await invite(operatorId, code);
  await end(operatorId);
  expect(await redeem(code)).toBe('invitation_not_found');
});

test('an invitation lasts 72 hours, and its token until the approved time', async () => {
  const operatorId = await aColleague();
  const code = aCode();
  const expiresAt = Date.now() + 3_600_000;
  await invite(operatorId, code, { expiresAt });
  const { rows } = await sql(
    'select extract(epoch from expires_at - created_at)::integer / 3600 as hours from operator_invitation where operator_id = $1',
    [operatorId],
  );
  expect(rows).toEqual([{ hours: 72 }]);
  expect(await redeemInvitation(fixture.domain, code)).toMatchObject({ ok: true, value: { operatorId, expiresAt } });
});

test('an open invitation ends after five wrong codes, also concurrent ones', async () => {
  const operatorId = await aColleague();
  const code = aCode();
  await invite(operatorId, code);
  // A code whose fingerprint begins alike cannot be made in a test, so the kept one is changed instead.
  const other = `${fingerprintOf(code).slice(0, 12)}${'0'.repeat(52)}`;
  const keep = (hash: string) =>
    sql('update operator_invitation set code_hash = $2 where operator_id = $1', [operatorId, hash]);
  await keep(other);
  await Promise.all([1, 2, 3, 4].map(() => redeem(code)));
  await keep(fingerprintOf(code));
  const { rows } = await sql('select wrong_tries, ended_at from operator_invitation where operator_id = $1', [
    operatorId,
  ]);
  expect(rows).toEqual([{ wrong_tries: 4, ended_at: null }]);
  await keep(other);
  await Promise.all([1, 2].map(() => redeem(code)));
  await keep(fingerprintOf(code));
  expect(await redeem(code)).toBe('invitation_not_found');
});

test('a request with the fingerprint of a used code is refused', async () => {
  const operatorId = await aColleague();
  const code = aCode();
  await invite(operatorId, code);
  const again = { operatorId, fingerprint: fingerprintOf(code) };
  expect(await request(fixture.domain, ann, 'inviteOperator', again)).toBe('invalid_input');
});
