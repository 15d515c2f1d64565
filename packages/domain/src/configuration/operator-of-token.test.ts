import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { waitFor } from '../testing/wait-for.ts';
import { addOperatorToken, createOperator, makeToken } from './create-operator.ts';
import { hashToken, operatorOfToken } from './operator-of-token.ts';
import { openOperators } from './operators.ts';
import { tokenIdOf } from './revoke-tokens.ts';

// The operator of a token, and how soon a change of it is seen.

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const sql = (text: string, values: unknown[] = []) => fixture.domain.database.pool.query(text, values);

let count = 0;
async function aToken(restriction: object = {}): Promise<{ operatorId: string; token: string }> {
  count += 1;
  const operatorId = `op-${count}`;
  const token = makeToken(randomBytes(32));
  await createOperator(fixture.domain, { operatorId, name: 'Ana', roles: ['viewer', 'finance'], ...restriction });
  await addOperatorToken(fixture.domain, operatorId, token);
  return { operatorId, token };
}

test('a token identifies the operator with roles and restriction', async () => {
  const { operatorId, token } = await aToken({ countries: ['PK', 'IN'], merchantIds: ['PK-1'] });
  expect(await operatorOfToken(fixture.domain, token)).toEqual({
    operatorId,
    roles: ['viewer', 'finance'],
    countries: ['PK', 'IN'],
    merchantIds: ['PK-1'],
    tokenId: tokenIdOf(token),
    signIn: 'token',
    expiresAt: null,
  });
  const free = await aToken();
  expect(await operatorOfToken(fixture.domain, free.token)).toMatchObject({ countries: null, merchantIds: null });
});

test('only the exact token is accepted, and tokens are not stored', async () => {
  const { token } = await aToken();
  const wrong = ['', token.slice(0, -1), `${token}x`, token.toUpperCase(), makeToken(randomBytes(32))];
  for (const one of [...wrong, `${token.slice(0, -1)}\u0000`])
    expect(await operatorOfToken(fixture.domain, one)).toBeNull();
  const { rows } = await sql('select token_hash from operator_token');
  expect(JSON.stringify(rows)).not.toContain(token.slice(4));
});

test.each([
  ['expired', 'update operator_token set expires_at = clock_timestamp() where operator_id = $1'],
  ['revoked', 'update operator_token set revoked_at = clock_timestamp() where operator_id = $1'],
  ['of a disabled operator', 'update operator set enabled = false where operator_id = $1'],
])('a token that another process has made %s is refused a second later', async (_, text) => {
  const { operatorId, token } = await aToken();
  expect(await operatorOfToken(fixture.domain, token)).not.toBeNull();
  const since = performance.now();
  await sql(text, [operatorId]);
  await waitFor('the token to be refused', async () => (await operatorOfToken(fixture.domain, token)) === null);
  expect(performance.now() - since).toBeLessThan(2_000);
});

test('changes by this process take effect at once', async () => {
  const { operatorId, token } = await aToken();
  expect(await operatorOfToken(fixture.domain, token)).not.toBeNull();
  await sql('update operator set enabled = false where operator_id = $1', [operatorId]);
  fixture.domain.operators.clearCache();
  expect(await operatorOfToken(fixture.domain, token)).toBeNull();
});

test('a token is read once a second, known or not', async () => {
  const { operatorId, token } = await aToken();
  const requests: string[] = [];
  const { pool } = fixture.domain.database;
  const query = (statement: string | { name: string; text: string }, values?: unknown[]) => {
    if (typeof statement === 'object') requests.push(statement.name);
    return typeof statement === 'object' ? pool.query(statement) : pool.query(statement, values);
  };
  const operators = openOperators(Object.assign(Object.create(pool), { query }), (error) => expect(error).toBeNull());
  for (const hash of [hashToken(token), hashToken('another')]) {
    requests.length = 0;
    const known = await Promise.all(Array.from({ length: 500 }, () => operators.ofToken(hash)));
    expect(new Set(known.map((who) => who?.operatorId))).toEqual(
      new Set([hash === hashToken(token) ? operatorId : undefined]),
    );
    expect(requests).toEqual(['operators-of-tokens']);
  }
  await operators.close();
});

test('the last use of a token is recorded', async () => {
  const { operatorId, token } = await aToken();
  await operatorOfToken(fixture.domain, token);
  await waitFor('the last use', async () => {
    const used = 'select from operator_token where operator_id = $1 and last_used_at is not null';
    return (await sql(used, [operatorId])).rows.length === 1;
  });
});

test('the last use of a token is written at most once a minute', async () => {
  const { operatorId, token } = await aToken();
  const ageOf = async (seconds: number): Promise<number> => {
    const set =
      'update operator_token set last_used_at = clock_timestamp() - make_interval(secs => $2) where operator_id = $1';
    await sql(set, [operatorId, seconds]);
    const operators = openOperators(fixture.domain.database.pool, (error) => expect(error).toBeNull());
    await operators.ofToken(hashToken(token));
    await operators.close();
    const age =
      "select date_part('epoch', clock_timestamp() - last_used_at) as age from operator_token where operator_id = $1";
    return (await sql(age, [operatorId])).rows[0]?.age;
  };
  expect(await ageOf(50)).toBeGreaterThanOrEqual(50);
  expect(await ageOf(61)).toBeLessThan(50);
});
