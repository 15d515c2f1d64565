import { readFileSync } from 'node:fs';
import { tablesOfMerchants, tablesReadByStatement, watchStatements } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HotPath, openHotPath } from '../test/hot-path.ts';
import { ofBatches, platformWide } from '../test/statements-of-many.ts';

// Whether the tables could be distributed by merchant (docs/developers/sharding.md): every statement that reaches the
// driver while orders are processed says whose rows it touches, in each table.

let path: HotPath;
let tables: ReadonlySet<string>;
let seen: ReadonlyMap<string, string>;
beforeAll(async () => {
  path = await openHotPath();
  const { pool } = path.real.domain.database;
  tables = await tablesOfMerchants(pool);
  const watched = await watchStatements(pool);
  await path.run().finally(watched.stop);
  seen = watched.seen;
});
afterAll(() => path?.close());

const reachOf = (text: string) => tablesReadByStatement(path.real.domain.database.pool, text, tables);

test('each SQL statement is limited to one merchant for each table, or is listed as meant for many', async () => {
  const listed = new Set(platformWide.map(({ sent }) => (typeof sent === 'string' ? sent : sent.name)));
  const batched = new Set(Object.values(ofBatches).flat());
  const unlisted: string[] = [];
  for (const [name, text] of seen)
    for (const [table, reach] of await reachOf(text)) {
      const isListed = listed.has(name) || (reach !== 'all' && batched.has(name));
      if (reach !== 'one' && !isListed) unlisted.push(`${reach} in ${table}: ${name}`);
    }
  expect(unlisted, 'Add `merchant_id =`, or list it in test/statements-of-many.ts with its reason').toEqual([]);
});

test('every step of the load sent SQL statements', () => {
  const steps: Record<string, readonly string[]> = {
    create: ['merchant-profiles', 'taken-order-nos', 'insert-orders', 'insert-wallet_entry', 'insert-transfer'],
    query: ['order-by-no', 'order-by-merchant-order-no', 'read-wallet', 'read-wallet-page'],
    'submit and poll': [
      'due-work',
      'channels payin callback payout statement',
      'orders-by-key',
      'update-orders',
      'insert-channel-calls',
    ],
    callback: ['merchants-of-tag', 'insert-payment', 'insert-money_case', 'update-wallet'],
    notification: ['insert-notification', 'claim-notifications', 'service-keys', 'record-attempts'],
  };
  const missing = Object.entries(steps).flatMap(([step, names]) =>
    names.filter((name) => !seen.has(name)).map((name) => `${step}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test.each(platformWide)(
  'the SQL statement $name is for all merchants, and the page explains why',
  async ({ name, sent }) => {
    expect([...(await reachOf(typeof sent === 'string' ? sent : sent.text)).values()]).toContain('all');
    const page = readFileSync(new URL('../../../docs/developers/sharding.md', import.meta.url), 'utf8');
    expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm'));
  },
);
