import { addOperatorToken, createOperator, makeToken } from '@tidegate/domain/admin';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture();
});
afterAll(() => api.close());

const query = '{ me { operatorId name roles operations countries merchantIds signIn expiresAt environment } }';
async function meOf(token: string, url = api.url): Promise<Record<string, unknown>> {
  const { data, errors } = await ask(url, query, { token });
  expect(errors).toEqual([]);
  return data?.me as Record<string, unknown>;
}

test('an operator can read their own identity, and until when their token is valid', async () => {
  const expiresAt = new Date('2099-01-01T00:00:00.000Z');
  const token = makeToken(Buffer.alloc(32, 7));
  await createOperator(api.domain, { operatorId: 'mei', name: 'Mei Lin', roles: ['support'], countries: ['CN'] });
  await addOperatorToken(api.domain, 'mei', token, expiresAt);
  expect(await meOf(token)).toEqual({
    operatorId: 'mei',
    name: 'Mei Lin',
    roles: ['SUPPORT'],
    countries: ['CN'],
    merchantIds: null,
    operations: [
      'REFRESH_ORDER',
      'RESEND_NOTIFICATION',
      'RESEND_NOTIFICATIONS',
      'PAUSE_NOTIFICATIONS',
      'RESUME_NOTIFICATIONS',
    ],
    signIn: 'TOKEN',
    expiresAt: expiresAt.toISOString(),
    environment: 'PRODUCTION',
  });
  expect(await meOf(await api.letIn('viewer'))).toMatchObject({ operations: [], expiresAt: null });
});

test('the API of a sandbox says that it is a sandbox', async () => {
  const url = await api.serve({ environment: 'sandbox' });
  expect(await meOf(await api.letIn('viewer'), url)).toMatchObject({ environment: 'SANDBOX' });
});

test('a restricted admin is not offered operations that affect the whole platform', async () => {
  const all = (await meOf(await api.letIn('admin'))).operations as string[];
  const own = (await meOf(await api.letInRestricted({ countries: ['IN'] }, ['admin']))).operations as string[];
  expect(all.filter((name) => !own.includes(name))).toEqual([
    'SET_CHANNEL',
    'WITHDRAW_DECLARATION',
    'ENABLE_CHANNEL',
    'DISABLE_CHANNEL',
    'MAP_BANK',
    'CREATE_OPERATOR',
    'CHANGE_OPERATOR',
    'DISABLE_OPERATOR',
    'ENABLE_OPERATOR',
    'INVITE_OPERATOR',
    'REVOKE_OPERATOR_TOKENS',
    'LINK_IDENTITY',
    'UNLINK_IDENTITY',
    'SET_CSV_PROFILE',
  ]);
  expect(own).toEqual(expect.arrayContaining(['SET_MERCHANT', 'SET_FEE_RULE']));
});
