import { randomBytes } from 'node:crypto';
import type { Domain } from '@tidegate/domain';
import { fingerprintOf, makeCode } from '@tidegate/domain/operators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// A new operator exchanges a code for a token, over HTTP and without a token.

let api: ApiFixture;
let ann: string;
let bob: string;
beforeAll(async () => {
  api = await openApiFixture();
  [ann, bob] = [await api.letIn('admin', 'support'), await api.letIn('admin')];
});
afterAll(() => api.close());

const redeem = (code: string | null, url = api.url, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}/redeem-invitation`, {
    method: 'POST',
    ...(code !== null && { headers: { authorization: `Bearer ${code}` } }),
    ...init,
  });

/** Two operators create and invite an operator. Returns all answers that the two received. */
async function invite(operatorId: string, code: string): Promise<string> {
  const messages: unknown[] = [];
  const agreed = async (mutation: string, payload: string): Promise<void> => {
    const query = `mutation { it: ${mutation} { __typename ... on ${payload} { approval { approvalId input } } } }`;
    const { data } = await ask(api.url, query, { token: ann });
    const { approvalId } = (data as { it: { approval: { approvalId: string } } }).it.approval;
    const fields = '__typename ... on Approval { approvalId state input outcome }';
    const approved = await ask(api.url, `mutation { it: approve(approvalId: "${approvalId}") { ${fields} } }`, {
      token: bob,
    });
    expect(approved.data).toMatchObject({ it: { state: 'EXECUTED' } });
    messages.push(data, approved.data);
  };
  const who = `operatorId: "${operatorId}"`;
  await agreed(
    `createOperator(input: { ${who}, name: "N", roles: [SUPPORT] }, reason: "a test")`,
    'CreateOperatorPayload',
  );
  const fingerprint = fingerprintOf(code);
  await agreed(
    `inviteOperator(input: { ${who}, fingerprint: "${fingerprint}" }, reason: "a test")`,
    'InviteOperatorPayload',
  );
  return JSON.stringify(messages);
}

test('the person who made the code gets the token; the two admins see neither code nor token', async () => {
  const code = makeCode(randomBytes(32));
  const answer = await invite('mei', code);
  const response = await redeem(code);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const { token, ...rest } = (await response.json()) as { token: string };
  expect(rest).toEqual({ operatorId: 'mei', tokenId: expect.stringMatching(/^[0-9a-f]{12}$/), expiresAt: null });
  const me = await ask(api.url, '{ me { operatorId roles } }', { token });
  expect(me.data).toEqual({ me: { operatorId: 'mei', roles: ['SUPPORT'] } });
  for (const secret of [code, token]) expect(answer).not.toContain(secret);
  expect(JSON.stringify(api.logged)).not.toMatch(/tgi_|tgo_/);
  const again = await redeem(code);
  expect([again.status, JSON.stringify(await again.json())]).toEqual([401, expect.not.stringContaining(code)]);
});

test('a malformed code is refused, and a body is ignored', async () => {
  for (const code of [null, '', ann, makeCode(randomBytes(32)), 'x'.repeat(60)])
    expect((await redeem(code)).status).toBe(401);
  const long = { body: 'x'.repeat(1_000_000) };
  expect((await redeem(null, api.url, long).catch(() => ({ status: 401 }))).status).toBe(401);
  expect((await fetch(`${api.url}/redeem-invitation`)).status).toBe(404);
});

test('while the database is unavailable a code is answered with 503', async () => {
  const unreachable = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
  const pool = Object.assign(Object.create(api.domain.database.pool), { query: unreachable });
  const domain: Domain = { ...api.domain, database: { ...api.domain.database, pool } };
  const url = await api.serve({ domain });
  expect((await redeem(makeCode(randomBytes(32)), url)).status).toBe(503);
});
