import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve } from '../approvals/approve.ts';
import { requestOperation } from '../approvals/request-operation.ts';
import { setRoute } from '../configuration/set-route.ts';
import type { ChannelMode } from '../core/environment.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { migrateDatabase } from '../database/migrate-database.ts';
import { createPayin } from '../orders/create-payin.ts';
import { bareAdapter } from '../testing/bare-adapter.ts';
import { FakeChannel } from '../testing/fake-channel.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator } from '../testing/operators.ts';
import { placePayin } from '../testing/payins.ts';
import { makeProductionDatabase } from '../testing/production-database.ts';
import { waitFor } from '../testing/wait-for.ts';
import { checkChannel } from './check-channel.ts';
import { refusedChannels } from './refused-channels.ts';

// Which channels a production and a sandbox use, on a database of each.

const modes: readonly ChannelMode[] = ['live', 'test', 'mixed', 'unknown'];
const channel = new FakeChannel();
/** One adapter for each mode: a host with the mode as its name decides. */
const adapters = {
  seeing: { ...bareAdapter(() => channel), modeOf: ({ baseUrl }: { baseUrl: string }) => modeOf(baseUrl) },
};
const modeOf = (baseUrl: string): ChannelMode =>
  modes.find((mode) => baseUrl.startsWith(`http://${mode}`)) ?? 'unknown';

let production: TestDomain;
let sandbox: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
beforeAll(async () => {
  [production, sandbox] = await Promise.all([
    createTestDatabase()
      .then(({ url }) => makeProductionDatabase(url))
      .then((url) => openTestDomain(url, { adapters })),
    createTestDatabase().then(({ url }) => openTestDomain(url, { adapters })),
  ]);
  [ann, bob] = [await anOperator(production.domain, ['admin']), await anOperator(production.domain, ['admin'])];
});
afterAll(() => Promise.all([production.close(), sandbox.close()]));

const accountOf = (mode: ChannelMode, change: object = {}) => ({
  channelId: `a-${mode}`,
  adapter: 'seeing',
  baseUrl: `http://${mode}.test`,
  credentials: { key: 'k' },
  ...change,
});
const evidence = 'letter of the provider of 2026-11-20, filed as 7/26';
const declared = { declaredMode: 'live', modeEvidence: evidence } as const;

async function set({ domain }: TestDomain, by: OperatorContext, input: object) {
  const done = await requestOperation(domain, by, 'setChannel', input, 'a test');
  return done.ok ? done.state : done.fields;
}

/** Requested by ann, approved by bob. */
async function setByTwo({ domain }: TestDomain, input: object) {
  return requestOperation(domain, ann, 'setChannel', input, 'a test', { approver: bob });
}

test('production refuses a request for a test account, a mixed one, and one whose mode cannot be seen', async () => {
  expect(await set(production, ann, accountOf('live'))).toBe('pending');
  expect(await set(production, ann, accountOf('test'))).toEqual([
    { path: 'channelId', reason: 'is a test account, and production moves real money only' },
  ]);
  expect(await set(production, ann, accountOf('mixed'))).toEqual([
    { path: 'channelId', reason: 'has keys of a test account and keys of a live account' },
  ]);
  const undeclared = 'may be a test account: two operators have to declare that it is live';
  expect(await set(production, ann, accountOf('unknown'))).toEqual([{ path: 'declaredMode', reason: undeclared }]);
  for (const adapter of ['manual', 'market'])
    expect(await set(production, ann, { channelId: 'people', adapter })).toEqual([
      { path: 'declaredMode', reason: undeclared },
    ]);
});

test('a sandbox refuses a live account, and needs no declaration', async () => {
  const by = await anOperator(sandbox.domain, ['admin']);
  expect(await set(sandbox, by, accountOf('live'))).toEqual([
    { path: 'channelId', reason: 'is a live account, and a sandbox must not move real money' },
  ]);
  expect(await set(sandbox, by, { ...accountOf('unknown'), ...declared })).toEqual([
    { path: 'declaredMode', reason: 'is a live account, and a sandbox must not move real money' },
  ]);
  for (const mode of ['test', 'unknown'] as const) expect(await set(sandbox, by, accountOf(mode))).toBe('pending');
  expect(await set(sandbox, by, { channelId: 'people', adapter: 'manual' })).toBe('pending');
});

test('a declaration needs evidence, is only for accounts whose mode cannot be seen, and names both operators', async () => {
  const { domain } = production;
  expect(await set(production, ann, { ...accountOf('unknown'), declaredMode: 'live' })).toMatchObject([
    { path: 'modeEvidence' },
  ]);
  expect(await set(production, ann, { ...accountOf('unknown'), modeEvidence: evidence })).toMatchObject([
    { path: 'declaredMode' },
  ]);
  expect(await set(production, ann, { ...accountOf('test'), ...declared })).toEqual([
    { path: 'declaredMode', reason: 'cannot be declared: key and host show that the account is test' },
  ]);
  expect(await setByTwo(production, { ...accountOf('unknown'), ...declared })).toMatchObject({ ok: true });
  const { rows } = await domain.database.pool.query("select * from channel where channel_id = 'a-unknown'");
  expect(rows).toMatchObject([
    {
      mode: 'live',
      declared_mode: 'live',
      declared_by: ann.operatorId,
      declared_approver: bob.operatorId,
      declared_at: expect.stringMatching(/^20/),
      declared_evidence: evidence,
    },
  ]);
  expect(await waitForStanding('a-unknown', 'live')).toMatchObject({ problem: null });
});

/** Channels are read again after a second. */
async function waitForStanding(channelId: string, mode: ChannelMode) {
  const { domain } = production;
  await waitFor('the standing', async () => (await domain.channelStandings(channelId))?.mode === mode);
  return domain.channelStandings(channelId);
}

test('a declaration ends when host, key or adapter change, and stays when other settings change', async () => {
  const { domain } = production;
  const own = { channelId: 'b-unknown', adapter: 'seeing' };
  const reset = { ...accountOf('unknown'), ...own, ...declared };
  const declaredNow = async () =>
    (await domain.database.pool.query("select declared_mode from channel where channel_id = 'b-unknown'")).rows[0]
      ?.declared_mode;
  expect(await setByTwo(production, reset)).toMatchObject({ ok: true });
  expect(await setByTwo(production, { ...own, payinExpirySeconds: 900 })).toMatchObject({ ok: true });
  expect(await declaredNow()).toBe('live');
  for (const change of [{ baseUrl: 'http://unknown.test/v2' }, { credentials: { key: 'other' } }])
    expect(await set(production, ann, { ...own, ...change })).toMatchObject([{ path: 'declaredMode' }]);
  // A change that goes past the operations.
  const past = [
    "update channel set base_url = 'http://unknown2.test' where channel_id = 'b-unknown'",
    "update channel set credentials_set_at = '{}' where channel_id = 'b-unknown'",
  ];
  for (const sql of past) {
    expect(await setByTwo(production, reset)).toMatchObject({ ok: true });
    expect(await declaredNow()).toBe('live');
    await domain.database.pool.query(sql);
    expect(await declaredNow()).toBeNull();
  }
  expect(await waitForStanding('b-unknown', 'unknown')).toMatchObject({ problem: expect.stringMatching(/declare/) });
});

test('an approval is refused at its execution if the channel has become one that production refuses', async () => {
  const { domain } = production;
  for (const channelId of ['c-live', 'c-other'])
    expect(await setByTwo(production, { ...accountOf('live'), channelId })).toMatchObject({ ok: true });
  const enable = await requestOperation(domain, ann, 'enableChannel', { channelId: 'c-live' }, 'a test');
  const change = { channelId: 'c-other', adapter: 'seeing', payinExpirySeconds: 900 };
  const asked = await requestOperation(domain, ann, 'setChannel', change, 'a test');
  if (!asked.ok || asked.state !== 'pending' || !enable.ok || enable.state !== 'pending') throw new Error('refused');
  await domain.database.pool.query("update channel set base_url = 'http://test.test' where channel_id like 'c-%'");
  for (const { approvalId } of [asked.approval, enable.approval])
    expect(await approve(domain, bob, approvalId)).toMatchObject({ ok: false, rejection: 'invalid_input' });
});

test('a channel that turns out to be a test account is not used, is reported, and takes no other channel down', async () => {
  const { domain } = production;
  for (const channelId of ['d-good', 'd-bad'])
    expect(await setByTwo(production, { ...accountOf('live'), channelId })).toMatchObject({ ok: true });
  const { merchantId } = await aMerchant(domain, 'TH');
  await domain.database.pool.query('delete from route where merchant_id = $1', [merchantId]);
  await setRoute(domain, merchantId, 11, { kind: 'payin', channelId: 'd-bad', priority: 1 });
  await setRoute(domain, merchantId, 12, { kind: 'payin', channelId: 'd-good', priority: 2 });
  const pay = async (merchantOrderNo: string) => {
    const merchant = await domain.directory.merchant(merchantId);
    if (!merchant) throw new Error('no merchant');
    const details = {};
    return createPayin(domain, merchant, {
      merchantOrderNo,
      amount: '100.00',
      bankCode: null,
      notifyUrl: null,
      details,
    });
  };
  expect(await pay('before')).toMatchObject({ ok: true, value: { channelId: 'd-bad', isLive: true } });
  await domain.database.pool.query("update channel set base_url = 'http://test.test' where channel_id = 'd-bad'");
  await waitForStanding('d-bad', 'test');
  expect(await pay('after')).toMatchObject({ ok: true, value: { channelId: 'd-good', isLive: true } });
  const bad = await domain.channels('d-bad');
  expect(await bad?.channel.query({} as never, AbortSignal.timeout(100))).toMatchObject({
    outcome: 'unknown',
    isUnsent: true,
    detail: 'unusable settings: channel d-bad is a test account, and production moves real money only',
  });
  expect(bad?.channel.parseCallback({}, new Uint8Array())).toMatchObject({ type: 'refused' });
  expect(await checkChannel(domain, 'd-bad')).toMatchObject([
    { isOk: false, detail: expect.stringMatching(/is a test account/) },
    {},
  ]);
  expect(await refusedChannels(domain)).toContainEqual({
    channelId: 'd-bad',
    problem: 'is a test account, and production moves real money only',
  });
  await setRoute(domain, merchantId, 12, { kind: 'payin', channelId: 'd-bad', priority: 2 });
  await waitFor('no channel', async () => {
    const done = await pay('none');
    return !done.ok && done.rejection === 'no_channel_available';
  });
});

test('every order of a database is of its environment, and the database refuses any other and any change of it', async () => {
  for (const [{ domain }, isLive] of [
    [production, true],
    [sandbox, false],
  ] as const) {
    const { merchantId } = await aMerchant(domain, 'TH');
    const order = await placePayin(domain, merchantId, 'TH', { isLive });
    const { pool } = domain.database;
    await expect(
      pool.query('update orders set is_live = not is_live where order_no = $1', [order.orderNo]),
    ).rejects.toThrow('of_environment');
    await expect(placePayin(domain, merchantId, 'TH', { isLive: !isLive })).rejects.toThrow('of_environment');
    const { rows } = await pool.query('select count(*) filter (where is_live = $1) = count(*) as same from orders', [
      isLive,
    ]);
    expect(rows).toEqual([{ same: true }]);
  }
});

test('the database refuses a channel of the other environment, and its own environment never changes', async () => {
  const row = "insert into channel (channel_id, adapter, base_url, mode) values ('xx', 'fake', '', $1)";
  await expect(production.domain.database.pool.query(row, ['test'])).rejects.toThrow('of_environment');
  await expect(sandbox.domain.database.pool.query(row, ['live'])).rejects.toThrow('of_environment');
  for (const [{ domain }, other] of [
    [production, 'sandbox'],
    [sandbox, 'production'],
  ] as const) {
    const { pool } = domain.database;
    for (const sql of [
      "update environment set name = 'sandbox'",
      'delete from environment',
      'truncate environment',
      `insert into environment (name) values ('${other}')`,
      `select settle_environment('${other}')`,
    ])
      await expect(pool.query(sql)).rejects.toThrow(/append-only|one_environment|never becomes/);
  }
});

test('a domain of the other environment does not open, and its migration touches nothing', async () => {
  const { url } = await createTestDatabase();
  await expect(openTestDomain(url, { environment: 'production' })).rejects.toThrow(
    'TIDEGATE_ENV is production, and this database is one of sandbox',
  );
  await expect(migrateDatabase(url, { environment: 'production' })).rejects.toThrow('one of sandbox');
  await expect(
    openTestDomain(await makeProductionDatabase(url), { environment: 'sandbox', hasChannel: true }),
  ).rejects.toThrow('TIDEGATE_ENV is sandbox, and this database is one of production');
});
