import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import { type OwnRoles, openOwnRoles } from '../database-roles/own-roles.ts';

// What the script that makes the roles takes back from someone who stole one.

let roles: OwnRoles;
beforeAll(async () => {
  roles = await openOwnRoles();
  await roles.makeRoles();
}, 60_000);
afterAll(() => roles?.remove());

const asRest = (statement: string) => queryDatabase<object>(roles.urlOf('rest'), statement);

test('a second run takes back the password and the settings that a role has given itself', async () => {
  for (const change of [
    'set default_transaction_read_only = on',
    'in database tidegate set statement_timeout = 5000',
    "set search_path = 'nowhere'",
    "password 'of-a-thief'",
  ])
    await asRest(`begin read write; alter role current_user ${change}; commit`);
  await expect(asRest('select 1')).rejects.toThrow('password authentication failed');
  await roles.makeRoles();
  const shown = ['default_transaction_read_only', 'statement_timeout', 'search_path'].map((name) =>
    asRest(`show ${name}`),
  );
  expect((await Promise.all(shown)).flat()).toEqual([
    { default_transaction_read_only: 'off' },
    { statement_timeout: '0' },
    { search_path: '"$user", public' },
  ]);
}, 60_000);
