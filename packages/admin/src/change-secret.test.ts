import { readFileSync } from 'node:fs';
import { openDomain } from '@tidegate/domain';
import { openVault, readKeys, setChannel, verifyAllSeals } from '@tidegate/domain/admin';
import { aMerchant } from '@tidegate/domain/testing';
import { auditSeals } from '@tidegate/domain/worker';
import { adaptersFor } from '@tidegate/upstream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AdminFixture, openAdminFixture } from '../test/admin-fixture.ts';

const why = ['--reason', 'the old one leaked'];
const adapters = adaptersFor({ environment: 'sandbox', allowCidrs: [], limiter: { take: async () => true } });

let fixture: AdminFixture;
let merchantId = '';
let folder = '';
let begun = '';
beforeAll(async () => {
  fixture = await openAdminFixture();
  folder = fixture.path('keys');
  await fixture.json(['make-keys', folder]);
  begun = keysOf('admin');
  fixture.env.TIDEGATE_KEYS = begun;
  await withKeys(begun, async (domain) => {
    ({ merchantId } = await aMerchant(domain, 'IN'));
    const credentials = { secret: 'hush' };
    await setChannel(domain, { channelId: 'acme', adapter: 'sandbox', baseUrl: 'http://a.test', credentials });
  });
});
afterAll(() => fixture.close());

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
type Opened = Awaited<ReturnType<typeof openDomain>>;

async function withKeys<Result>(keys: string, work: (domain: Opened) => Promise<Result>): Promise<Result> {
  const databaseUrl = fixture.env.DATABASE_URL ?? '';
  const wakeUp = () => undefined;
  const domain = await openDomain({ databaseUrl, keys, adapters, publicBaseUrl: 'http://a.test', wakeUp, log: quiet });
  try {
    return await work(domain);
  } finally {
    await domain.close();
  }
}

const keysOf = (process: string): string => readFileSync(`${folder}/keys-${process}`, 'utf8');
const signingKeyWith = (keys: string) =>
  withKeys(keys, async (domain) => (await domain.serviceKeys.signing(merchantId)).keyId);
/** The credential of the channel with these keys. */
async function readCredential(keys: string): Promise<string> {
  const { rows } = await fixture.domain.database.pool.query<{ payin: Buffer }>(
    `select payin from channel_credential where channel_id = 'acme'`,
  );
  return openVault(keys).open('payinCredential', 'acme/secret', rows[0]?.payin ?? Buffer.alloc(0));
}

test('only an admin may change keys', async () => {
  const asVera = { env: { TIDEGATE_OPERATOR_TOKEN: fixture.tokens.vera } };
  expect(await fixture.run(['change-secret', folder, ...why], asVera)).toMatchObject({ code: 1 });
});

test('new keys are added and used, then everything is sealed again, while processes with either file work', async () => {
  const purposes = ['--purposes', 'payin,callback,payout,statement,notification,account,approval,console,seal'];
  const inTwoMonths = () => Date.now() + 62 * 24 * 60 * 60_000;
  const sealing = { forMs: 60_000, files: null, now: inTwoMonths };
  expect(await withKeys(keysOf('worker'), (domain) => auditSeals(domain, sealing))).toBe('finished');

  expect(await fixture.json(['change-secret', folder, ...purposes, ...why])).toMatchObject({ step: 'add' });
  const added = keysOf('worker');
  expect(await fixture.json(['change-secret', folder, ...purposes, ...why])).toMatchObject({ step: 'use' });
  const used = keysOf('worker');
  const key = await signingKeyWith(added);
  expect(await signingKeyWith(used)).toBe(key);

  // The months end before the change.
  vi.useFakeTimers({ toFake: ['Date'], now: inTwoMonths() });
  try {
    expect(await fixture.json(['change-secret', folder, ...purposes, ...why])).toMatchObject({ step: 'drop' });
  } finally {
    vi.useRealTimers();
  }
  for (const keys of [used, keysOf('worker')]) expect(await signingKeyWith(keys)).toBe(key);
  for (const process of ['rest', 'worker']) expect(await readCredential(keysOf(process))).toBe('hush');
  const report = await withKeys(keysOf('worker'), (domain) => verifyAllSeals(domain, {}));
  expect(report).toMatchObject({ violations: [] });
  expect(report.seals).toBeGreaterThan(0);
  const { rows } = await fixture.domain.database.pool.query(
    `select actor, reason, detail::jsonb as detail from audit_record where action = 'changeSecret'`,
  );
  expect(rows).toMatchObject([
    {
      actor: 'alice',
      reason: 'the old one leaked',
      detail: {
        after: { 'channel_credential.payin': 1, 'merchant_service_key.private_key': 1, 'seal_key.private_key': 1 },
      },
    },
  ]);
});

test('the keys of before open nothing any more, and no file but that of the command line has one', async () => {
  const { rows } = await fixture.domain.database.pool.query<{ keyId: string; sealed: Buffer }>(
    `select key_id as "keyId", private_key as sealed from merchant_service_key`,
  );
  for (const { keyId, sealed } of rows)
    expect(() => openVault(begun).open('serviceKey', keyId, sealed)).toThrow('has no key');
  for (const process of ['rest', 'api', 'worker', 'worker-orders', 'worker-upkeep', 'worker-notifications'])
    expect(readKeys(keysOf(process)).filter(({ state }) => state !== 'current')).toEqual([]);
});

test('a text that no key opens keeps the old keys where they are', async () => {
  const only = ['--purposes', 'notification', ...why];
  await fixture.json(['change-secret', folder, ...only, '--leaked', 'yes']);
  const { pool } = fixture.domain.database;
  await pool.query(`update merchant_service_key set private_key = private_key || '\\x00'`);
  const refused = await fixture.run(['change-secret', folder, ...only]);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('no key opens 1 texts') });
  expect(readKeys(keysOf('worker')).filter(({ state }) => state === 'old')).toHaveLength(1);
  await pool.query(
    `update merchant_service_key set private_key = substring(private_key from 1 for length(private_key) - 1)`,
  );
  expect(await fixture.json(['change-secret', folder, ...only])).toMatchObject({ step: 'drop' });
});

test('sealing again that broke off goes on where it stopped', async () => {
  const only = ['--purposes', 'payin,callback,payout,statement,notification', ...why];
  await fixture.json(['change-secret', folder, ...only, '--leaked', 'yes']);
  const { pool } = fixture.domain.database;
  // The database ends the command's session after some rows: the second column cannot be written.
  await pool.query(`create function break_off() returns trigger language plpgsql as
    $$ begin raise exception 'broken off'; end $$`);
  await pool.query(
    `create trigger break_off before update of private_key on merchant_service_key for each row execute function break_off()`,
  );
  expect((await fixture.run(['change-secret', folder, ...only])).code).toBe(3);
  expect(await readCredential(keysOf('rest'))).toBe('hush');
  await pool.query('drop trigger break_off on merchant_service_key');
  expect(await fixture.json(['change-secret', folder, ...only])).toMatchObject({ step: 'drop' });
  expect(await readCredential(keysOf('rest'))).toBe('hush');
  await signingKeyWith(keysOf('worker'));
});
