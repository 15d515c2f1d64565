import { randomBytes } from 'node:crypto';
import { makeToken } from '@tidegate/domain/admin';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture, readAnswer } from '../../test/api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

const anOrder = '{ order(orderNo: "PI1") { orderNo } }';

/** A token that is valid until this statement. */
async function tokenSpoiltBy(sql: string): Promise<string> {
  const token = await api.letIn('admin');
  expect(await ask(api.url, anOrder, { token })).toMatchObject({ data: { order: null }, errors: [] });
  await api.domain.database.pool.query(sql);
  // A change by another process is seen within a second. Here at once.
  api.domain.operators.clearCache();
  return token;
}

test.each(['viewer', 'support', 'operator', 'finance', 'admin'] as const)('a %s may query an order', async (role) => {
  const token = await api.letIn(role);
  expect(await ask(api.url, anOrder, { token })).toMatchObject({ status: 200, data: { order: null }, errors: [] });
});

test.each<[string, () => Promise<string | undefined> | string | undefined]>([
  ['no token', () => undefined],
  ['an unknown token', () => `Bearer ${makeToken(randomBytes(32))}`],
  ['what was never a token', () => 'Bearer admin'],
  ['an empty token', () => 'Bearer '],
  ['another scheme', async () => `Basic ${await api.letIn('admin')}`],
  ['a bare token', async () => await api.letIn('admin')],
  ['two tokens', async () => `Bearer ${await api.letIn('admin')} ${await api.letIn('admin')}`],
  [
    'a revoked token',
    async () => `Bearer ${await tokenSpoiltBy('update operator_token set revoked_at = clock_timestamp()')}`,
  ],
  [
    'an expired token',
    async () => `Bearer ${await tokenSpoiltBy('update operator_token set expires_at = clock_timestamp()')}`,
  ],
  ['a disabled operator', async () => `Bearer ${await tokenSpoiltBy('update operator set enabled = false')}`],
])('%s: the request is refused', async (_what, makeAuthorization) => {
  const authorization = await makeAuthorization();
  const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: anOrder }),
  });
  const { status, data, errors } = await readAnswer(response);
  expect([status, data, errors.length]).toEqual([401, undefined, 1]);
  expect(errors[0]).toMatchObject({ extensions: { code: 'UNAUTHENTICATED' } });
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
});

test('the scheme "Bearer" is accepted in upper and lower case', async () => {
  const init = {
    headers: { 'content-type': 'application/json', authorization: `bEARER ${await api.letIn('viewer')}` },
  };
  expect(await ask(api.url, anOrder, { init })).toMatchObject({ data: { order: null }, errors: [] });
});
