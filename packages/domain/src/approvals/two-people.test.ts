import { Readable } from 'node:stream';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../channels/set-channel.ts';
import { operatorOfIdentity } from '../configuration/operator-of-identity.ts';
import type { OperatorContext, Role } from '../core/operator-rights.ts';
import { receiveStatement } from '../reconciliation/files/receive-statement.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator, request } from '../testing/operators.ts';
import { aFundedMerchant, placePayout } from '../testing/payouts.ts';
import { aLine, dayAgo, statementText } from '../testing/statements.ts';
import { approve } from './approve.ts';
import type { OperationName } from './operations.ts';
import { requestOperation } from './request-operation.ts';

// That two are two people: one kind of sign-in decides, identities are linked, and rights are looked at again when it is done.

let byToken: TestDomain;
let byIdentity: TestDomain;
let unsaid: TestDomain;
let merchantId: string;
let subjects = 0;
const roles = ['operator', 'finance', 'admin'] as const;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  byToken = await openTestDomain(url, { approvalSignIn: 'token' });
  byIdentity = await openTestDomain(url, { approvalSignIn: 'oidc' });
  unsaid = await openTestDomain(url);
  ({ merchantId } = await aFundedMerchant(byToken.domain, 'PK', '50000.00', 'market'));
});
afterAll(() => Promise.all([byToken, byIdentity, unsaid].map((one) => one.close())));

const sql = (text: string, values: unknown[] = []) => byToken.domain.database.pool.query(text, values);
const issuer = 'https://id.test/';
const comes = async (subject: string, as: readonly Role[] = roles): Promise<OperatorContext | null> =>
  operatorOfIdentity(byToken.domain, { issuer, subject, name: 'Rita', roles: as });
async function aPerson(subject = `s-${++subjects}`): Promise<OperatorContext> {
  const who = await comes(subject);
  if (!who) throw new Error('not let in');
  return who;
}
/** The fee of another bank each time, so that requests do not wait for each other. */
const fee = (): object => ({ merchantId, kind: 'payin', bankCode: `B${++subjects}`, percent: '3', fixed: '1.00' });
async function ask(fixture: TestDomain, who: OperatorContext, name: OperationName = 'setFeeRule', input = fee()) {
  const requested = await requestOperation(fixture.domain, who, name, input, 'a test');
  if (!requested.ok || requested.state !== 'pending') throw new Error(JSON.stringify(requested));
  return requested.approval.approvalId;
}
const agree = async (fixture: TestDomain, who: OperatorContext, approvalId: string): Promise<string> => {
  const done = await approve(fixture.domain, who, approvalId);
  return done.ok ? done.value.state : done.rejection;
};

test('without an identity provider approvals are decided by token', async () => {
  const [ann, bob] = [await anOperator(unsaid.domain, roles), await anOperator(unsaid.domain, roles)];
  expect(await agree(unsaid, bob, await ask(unsaid, ann))).toBe('executed');
});

test('one person cannot approve with a token what they requested with an identity, because only one kind may decide', async () => {
  const [ann, bob] = [await anOperator(byToken.domain, roles), await anOperator(byToken.domain, roles)];
  const [rita, sven] = [await aPerson(), await aPerson()];
  const byTokens = await ask(byToken, ann);
  expect(await agree(byToken, rita, byTokens)).toBe('sign_in_refused');
  expect(await request(byToken.domain, rita, 'setFeeRule', fee())).toBe('sign_in_refused');
  expect(await agree(byToken, bob, byTokens)).toBe('executed');
  const byIdentities = await ask(byIdentity, rita);
  expect(await agree(byIdentity, ann, byIdentities)).toBe('sign_in_refused');
  expect(await request(byIdentity.domain, ann, 'setFeeRule', fee())).toBe('sign_in_refused');
  expect(await agree(byIdentity, sven, byIdentities)).toBe('executed');
  // With both kinds in use and no configuration, neither decides.
  for (const who of [ann, rita]) expect(await request(unsaid.domain, who, 'setFeeRule', fee())).toBe('sign_in_refused');
  // What one may do alone is open to both.
  for (const who of [ann, rita])
    expect(await request(byToken.domain, who, 'enableMerchant', { merchantId })).toBe('executed');
});

test('a task paid by a token cannot be accepted by an identity', async () => {
  const [ann, bob, rita] = [
    await anOperator(byToken.domain, roles),
    await anOperator(byToken.domain, roles),
    await aPerson(),
  ];
  const { orderNo } = await placePayout(byToken.domain, merchantId, 'PK', { mode: 'market' });
  expect(await request(byToken.domain, rita, 'claimPayoutTask', { orderNo })).toBe('sign_in_refused');
  expect(await request(byToken.domain, ann, 'claimPayoutTask', { orderNo })).toBe('executed');
  expect(await request(byToken.domain, ann, 'provePayoutTask', { orderNo, reference: 'R', payer: 'A' })).toBe(
    'executed',
  );
  expect(await request(byToken.domain, rita, 'acceptProof', { orderNo })).toBe('sign_in_refused');
  expect(await request(byToken.domain, bob, 'acceptProof', { orderNo })).toBe('executed');
});

test('a statement that a token uploaded cannot be confirmed by an identity, and the other way round', async () => {
  const { domain } = byToken;
  await setChannel(domain, { channelId: 'bank', adapter: 'fake', baseUrl: 'http://bank.test', credentials: {} });
  const tokens = [await anOperator(domain, roles), await anOperator(domain, roles)] as const;
  const identities = [await aPerson(), await aPerson()] as const;
  let uploads = 0;
  const uploadedBy = async (uploader: OperatorContext, importer = uploader): Promise<object> => {
    uploads += 1;
    const row = aLine({ currency: 'THB', bookedOn: dayAgo('TH', 0), bankRef: `B-${uploads}` });
    const file = { tenant: 'PLATFORM-TH', name: 'a statement', uploadedBy: uploader.operatorId };
    const received = await receiveStatement(domain, file, Readable.from([Buffer.from(statementText([row]))]));
    if (!received.ok) throw new Error(received.problem);
    const { fileNo, sha256 } = received.file;
    const input = { country: 'TH', channelId: 'bank', fileNo, format: 'json-lines' };
    expect(await request(domain, importer, 'importStatement', input)).toBe('executed');
    return { country: 'TH', fileNo, sha256 };
  };
  for (const [fixture, right, wrong] of [
    [byToken, tokens, identities],
    [byIdentity, identities, tokens],
  ] as const) {
    const confirm = (who: OperatorContext, statement: object) =>
      request(fixture.domain, who, 'confirmStatement', statement);
    const theirs = await uploadedBy(wrong[0]);
    expect([await confirm(wrong[1], theirs), await confirm(right[0], theirs)]).toEqual(
      Array(2).fill('sign_in_refused'),
    );
    const ours = await uploadedBy(right[0]);
    expect([await confirm(wrong[0], ours), await confirm(right[0], ours)]).toEqual(['sign_in_refused', 'own_upload']);
    expect(await request(unsaid.domain, right[1], 'confirmStatement', ours)).toBe('sign_in_refused');
    expect(await confirm(right[1], ours)).toBe('executed');
    // Whoever has it imported could have written it too.
    const imported = await uploadedBy(right[0], wrong[0]);
    expect(await confirm(right[1], imported)).toBe('sign_in_refused');
  }
});

test('issuer and subject identify a person, and a name that the person can choose does not', async () => {
  const first = await aPerson('one');
  expect(first.operatorId).toMatch(/^id-[0-9a-f]{24}$/);
  expect((await aPerson('one')).operatorId).toBe(first.operatorId);
  expect((await aPerson('two')).operatorId).not.toBe(first.operatorId);
});

test('a linked identity is the same operator, and cannot approve its own requests', async () => {
  const { domain } = byToken;
  const [ann, bob] = [await anOperator(domain, roles), await anOperator(domain, roles)];
  const before = await aPerson('ann-at-work');
  const link = { operatorId: ann.operatorId, issuer, subject: 'ann-at-work' };
  expect(await agree(byToken, bob, await ask(byToken, ann, 'linkIdentity', link))).toBe('executed');
  const now = await aPerson('ann-at-work');
  expect(now).toMatchObject({ operatorId: ann.operatorId, signIn: 'oidc' });
  const { rows } = await sql('select enabled, external_id from operator where operator_id = $1', [before.operatorId]);
  expect(rows).toEqual([{ enabled: false, external_id: null }]);
  expect(await agree(byIdentity, now, await ask(byIdentity, now))).toBe('own_approval');
  expect(await request(domain, ann, 'linkIdentity', { ...link, subject: 'another' })).toBe('identity_linked');
  const unlink = await ask(byToken, ann, 'unlinkIdentity', { operatorId: ann.operatorId });
  expect(await agree(byToken, bob, unlink)).toBe('executed');
  // The operator that this identity had before is disabled: only two operators can enable it again.
  expect(await comes('ann-at-work')).toBeNull();
  await sql('update operator set enabled = true where operator_id = $1', [before.operatorId]);
  expect((await aPerson('ann-at-work')).operatorId).toBe(before.operatorId);
});

test.each<[string, (subject: string, operatorId: string) => Promise<unknown>]>([
  ['whose provider took the role', (subject) => comes(subject, ['viewer'])],
  ['whose provider took every role', (subject) => comes(subject, [])],
  [
    'who was not seen for a day',
    (_, id) => sql("update operator set identity_seen_at = now() - interval '25 hours' where operator_id = $1", [id]),
  ],
  ['who was disabled', (_, id) => sql('update operator set enabled = false where operator_id = $1', [id])],
])('a request by an identity is not executed %s', async (_, end) => {
  const subject = `s-${++subjects}`;
  const [rita, sven] = [await aPerson(subject), await aPerson()];
  const approvalId = await ask(byIdentity, rita);
  await end(subject, rita.operatorId);
  expect(await agree(byIdentity, sven, approvalId)).toBe('asker_disabled');
});

test('a request of an operator whose tokens were revoked since is not executed', async () => {
  const [ann, bob] = [await anOperator(byToken.domain, roles), await anOperator(byToken.domain, roles)];
  const approvalId = await ask(byToken, ann);
  expect(await request(byToken.domain, bob, 'revokeOperatorTokens', { operatorId: ann.operatorId })).toBe('executed');
  expect(await agree(byToken, bob, approvalId)).toBe('asker_disabled');
});

test.each<[string, string]>([
  ['role was removed', "update operator set roles = '{viewer}' where operator_id = $1"],
  ['restriction was narrowed', "update operator set countries = '{CN}' where operator_id = $1"],
  ['token was revoked', 'update operator_token set revoked_at = now() where operator_id = $1'],
  ['access was ended', 'update operator set enabled = false where operator_id = $1'],
])('a second operator whose %s a moment ago cannot decide', async (_, change) => {
  const [ann, bob] = [await anOperator(byToken.domain, roles), await anOperator(byToken.domain, roles)];
  const approvalId = await ask(byToken, ann);
  await sql(change, [bob.operatorId]);
  expect(await agree(byToken, bob, approvalId)).toBe('forbidden');
  expect(await agree(byToken, await anOperator(byToken.domain, roles), approvalId)).toBe('executed');
});
