import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import { createMerchant } from '../configuration/create-merchant.ts';
import { setMerchantStatus } from '../configuration/set-merchant-status.ts';
import type { Command } from '../core/commands.ts';
import { orderRules } from '../countries/index.ts';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import { openTestDomain, type TestDomain, takeKeyPair } from '../testing/index.ts';
import { aCreate, aTopUp, placePayin } from '../testing/payins.ts';
import { waitFor } from '../testing/wait-for.ts';
import { changeConfiguration } from './change-configuration.ts';
import { openLedgerWriter } from './writer.ts';

// Rows that another session holds for a long time: an operator's psql, or a process that was frozen within its
// transaction.

let url: string;
/** Two processes on one database, with the timeout of a REST adapter. */
let one: TestDomain;
let two: TestDomain;
beforeAll(async () => {
  ({ url } = await createTestDatabase());
  one = await openTestDomain(url, { timeoutMs: 1_000, batchesAtOnce: 1 });
  two = await openTestDomain(url, { timeoutMs: 1_000, batchesAtOnce: 1 });
});
const sessions: pg.Client[] = [];
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.end()));
});
afterAll(() => Promise.all([one.close(), two.close()]));

/** A session that begins a transaction with `text` and then does nothing. */
async function hold(text: string, values: unknown[]): Promise<{ release(): Promise<void> }> {
  const session = new pg.Client({ connectionString: url });
  session.on('error', () => undefined);
  sessions.push(session);
  await session.connect();
  await session.query('begin');
  await session.query(text, values);
  return { release: async () => void (await session.query('rollback')) };
}

const holdWallets = (...merchantIds: string[]) =>
  hold('select from wallet where merchant_id = any($1) for update', [merchantIds]);

let createdCount = 0;
/** As many merchants, with nothing but a wallet. */
async function merchants(count: number): Promise<string[]> {
  const merchantIds = Array.from({ length: count }, (_, i) => `HELD-${createdCount + i}`);
  createdCount += count;
  for (const merchantId of merchantIds)
    await createMerchant(one.domain, { merchantId, name: 'Held', country: 'IN' }, takeKeyPair());
  return merchantIds;
}

const timed = async <T>(work: Promise<T>): Promise<{ value: T; ms: number }> => {
  const began = performance.now();
  const value = await work;
  return { value, ms: performance.now() - began };
};

/** Backends of ours that wait for a lock. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await one.domain.database.pool.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

test('a locked wallet row delays only its merchant, in any process', async () => {
  const [held = '', ...others] = await merchants(8);
  const createForOthers = () =>
    timed(Promise.all(others.flatMap((id) => [one, two].map(({ domain }) => domain.commit(aCreate(id, 'IN'))))));
  const usual = Math.max((await createForOthers()).ms, (await createForOthers()).ms);
  const { release } = await holdWallets(held);
  const refused = [one, two].map(({ domain }) => timed(domain.commit(aCreate(held, 'IN')).catch((error) => error)));
  for (let round = 0; round < 5; round++) {
    const done = await createForOthers();
    expect(done.value.every(({ ok }) => ok)).toBe(true);
    // A command that waits for the locked row is refused after a second.
    expect(done.ms).toBeLessThan(700 + 3 * usual);
  }
  for (const { value, ms } of await Promise.all(refused)) {
    expect(value).toBeInstanceOf(LedgerUnavailable);
    expect(ms).toBeLessThan(2_000 + 3 * usual);
  }
  await waitFor('no session waits for what was given up', async () => (await waitingForLocks()) === 0);
  await release();
  expect(await one.domain.commit(aCreate(held, 'IN'))).toMatchObject({ ok: true });
});

test('the commands of a merchant continue in their order as soon as its wallet row is unlocked', async () => {
  const [held = '', other = ''] = await merchants(2);
  const { release } = await holdWallets(held);
  const order: number[] = [];
  const commands = Array.from({ length: 40 }, (_, i) =>
    one.domain.commit(aTopUp(held, `B-${i}`)).then(() => void order.push(i)),
  );
  await waitFor('its row is waited for', async () => (await waitingForLocks()) > 0);
  await one.domain.commit(aCreate(other, 'IN'));
  await release();
  await Promise.all(commands);
  expect(order).toEqual(Array.from({ length: 40 }, (_, i) => i));
  const { rows } = await one.domain.database.pool.query(
    'select booking_no from wallet_entry where merchant_id = $1 order by entry_no',
    [held],
  );
  expect(rows.map(({ booking_no }) => booking_no)).toEqual(order.map((i) => `B-${i}`));
});

/** The pool of the first process, which first passes each named statement to `before`. */
function poolThatSends(before: (statement: { name: string; values?: unknown[] }) => unknown): pg.Pool {
  const connect = async () => {
    const client = await one.domain.database.pool.connect();
    // Statements are sent in their order, also those without a name: a commit before the writes would end the transaction.
    let turn: Promise<unknown> = Promise.resolve();
    const query = async (config: string | { name: string }) => {
      turn = turn.then(() => (typeof config === 'object' ? before(config) : undefined));
      await turn;
      return client.query(config as string);
    };
    return { query, release: (broken: boolean) => client.release(broken) };
  };
  return { connect } as unknown as pg.Pool;
}

function openWriterOn(pool: pg.Pool) {
  const limits = { batchesAtOnce: 1, batchSize: 100, queueLimit: 100, heldTimeoutMs: 20_000, scheduleScale: 1 };
  return openLedgerWriter({ ...limits, pool, sql: one.domain.sql, rules: orderRules, committed: () => undefined });
}

test('after a batch that locked no wallet the next batch waits for all of its wallets', async () => {
  const all = await merchants(3);
  const { release } = await holdWallets(...all);
  const sent: string[] = [];
  const writer = openWriterOn(poolThatSends(({ name }) => name.startsWith('lock-') && sent.push(name)));
  const booked = all.map((id) => writer.commit(aTopUp(id, 'B-1')));
  await waitFor('they are waited for', async () => (await waitingForLocks()) > 0);
  expect(sent.slice(0, 2)).toEqual(['lock-free-wallets', 'lock-wallets']);
  await release();
  expect((await Promise.all(booked)).every(({ ok }) => ok)).toBe(true);
});

test('a common batch never waits for wallets that are known as locked', async () => {
  const all = await merchants(8);
  // More than may have transactions of their own at once. The rest is tried again in common batches.
  const held = all.slice(0, 5);
  const free = all.slice(5);
  const { release } = await holdWallets(...held);
  const waited: (readonly string[])[] = [];
  const pool = poolThatSends(async ({ name, values }) => {
    const [merchantIds = []] = values as [string[]?];
    if (name === 'lock-wallets') waited.push(merchantIds);
  });
  const writer = openWriterOn(pool);
  const refused = held.map((id) => writer.commit(aCreate(id, 'IN')));
  // They were all left out by the same batches, so all are known as locked when two have transactions of their own.
  await waitFor('their own transactions wait', async () => waited.filter((ids) => ids.length === 1).length > 1);
  waited.length = 0;
  for (let round = 0; round < 20; round += 1) {
    const created = await Promise.all(free.map((id) => writer.commit(aCreate(id, 'IN'))));
    expect(created.every(({ ok }) => ok)).toBe(true);
    // Meanwhile only locked wallets are tried.
    await sleep(60);
  }
  const ofOneMerchant = waited.filter((ids) => ids.length === 1);
  expect(ofOneMerchant.length).toBeGreaterThan(0);
  expect(waited).toEqual(ofOneMerchant);
  await release();
  for (const { ok } of await Promise.all(refused)) expect(ok).toBe(true);
});

test('many merchants with locked wallets in one batch do not delay other merchants by one time-out each', async () => {
  const all = await merchants(40);
  const held = all.slice(0, 30);
  const free = all.slice(30);
  const { release } = await holdWallets(...held);
  const refused = held.map((id) => one.domain.commit(aCreate(id, 'IN')).catch((error) => error));
  const done = await timed(Promise.all(free.map((id) => one.domain.commit(aCreate(id, 'IN')))));
  expect(done.value.every(({ ok }) => ok)).toBe(true);
  expect(done.ms).toBeLessThan(800);
  for (const error of await Promise.all(refused)) expect(error).toBeInstanceOf(LedgerUnavailable);
  await release();
  const again = await Promise.all(held.map((id) => one.domain.commit(aCreate(id, 'IN'))));
  expect(again.every(({ ok }) => ok)).toBe(true);
});

test('a locked row that is found only at the write delays only its merchant', async () => {
  const [held = '', ...others] = await merchants(10);
  const order = await placePayin(one.domain, held, 'IN');
  const { release } = await hold('select from orders where merchant_id = $1 and order_no = $2 for update', [
    held,
    order.orderNo,
  ]);
  const claim: Command = { type: 'claimWork', ref: order, action: 'submit', lease: 25_000 };
  const refused = timed(one.domain.commit(claim).catch((error) => error));
  for (let round = 0; round < 5; round++) {
    const done = await timed(Promise.all(others.map((id) => one.domain.commit(aCreate(id, 'IN')))));
    expect(done.value.every(({ ok }) => ok)).toBe(true);
    expect(done.ms).toBeLessThan(800);
  }
  const { value, ms } = await refused;
  expect(value).toBeInstanceOf(LedgerUnavailable);
  expect(ms).toBeLessThan(2_000);
  await release();
  expect(await one.domain.commit(claim)).toMatchObject({ ok: true });
});

test('while a whole table is locked all commands are refused in bounded time, and accepted as soon as it is unlocked', async () => {
  const all = await merchants(30);
  const { release } = await hold('lock table order_transition in access exclusive mode', []);
  const refused = await timed(
    Promise.all(all.map((id) => one.domain.commit(aCreate(id, 'IN')).catch((error) => error))),
  );
  expect(refused.value.every((error) => error instanceof LedgerUnavailable)).toBe(true);
  expect(refused.ms).toBeLessThan(3_000);
  await release();
  const again = await Promise.all(all.map((id) => one.domain.commit(aCreate(id, 'IN'))));
  expect(again.every(({ ok }) => ok)).toBe(true);
});

test('a merchant whose command was refused in a shared batch can send commands again', {
  timeout: 20_000,
}, async () => {
  const all = await merchants(10);
  const writer = openLedgerWriter({
    pool: one.domain.database.pool,
    sql: one.domain.sql,
    rules: orderRules,
    batchesAtOnce: 1,
    batchSize: 100,
    queueLimit: 1_000,
    scheduleScale: 1,
    heldTimeoutMs: 200,
    committed: () => undefined,
  });
  const holders = await Promise.all(all.slice(0, 8).map((id) => holdWallets(id)));
  const table = await hold('lock table order_transition in access exclusive mode', []);
  const input: Promise<unknown>[] = [];
  for (let i = 0; i < 100; i++) {
    input.push(writer.commit(aCreate(all[i % all.length] as string, 'IN')).catch((error) => error));
    // This merchant's wallet is released while the table is still locked: the whole batch fails.
    if (i % 20 === 0) await holders.pop()?.release();
    await sleep(15);
  }
  await Promise.all([table, ...holders].map(({ release }) => release()));
  await Promise.all(input);
  for (const id of all)
    await waitFor(`${id} is served`, () =>
      writer.commit(aCreate(id, 'IN')).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
});

test('commands of one merchant with a locked wallet take only a part of the queue', async () => {
  const [held = '', other = ''] = await merchants(2);
  const { release } = await holdWallets(held);
  await one.domain.commit(aTopUp(held, 'FIRST')).catch(() => undefined);
  const many = Array.from({ length: 6_000 }, (_, i) => one.domain.commit(aTopUp(held, `N-${i}`)).catch((e) => e));
  expect(await one.domain.commit(aCreate(other, 'IN'))).toMatchObject({ ok: true });
  for (const error of await Promise.all(many)) expect(error).toBeInstanceOf(LedgerUnavailable);
  await release();
});

test('a change of configuration waits for a locked wallet for a bounded time', async () => {
  const [held = ''] = await merchants(1);
  const { release } = await holdWallets(held);
  const disable = () =>
    changeConfiguration(
      one.domain,
      { tenant: held, change: 'setMerchantStatus' },
      { actor: 'tester', approver: null, reason: 'a test' },
      async (within) => {
        await setMerchantStatus(within, held, 'disabled');
        return { ok: true, value: { subject: held, value: null } };
      },
    );
  const changed = await timed(disable().catch((error) => error));
  expect(changed.value).toBeInstanceOf(LedgerUnavailable);
  expect(changed.ms).toBeLessThan(2_000);
  expect(await waitingForLocks()).toBe(0);
  await release();
  expect(await disable()).toMatchObject({ ok: true });
});

test('a change waits for seconds where people wait, as in the API', async () => {
  const [held = ''] = await merchants(1);
  const patient = await openTestDomain(url, { hasChannel: true });
  const { release } = await holdWallets(held);
  const changed = changeConfiguration(
    patient.domain,
    { tenant: held, change: 'setMerchantStatus' },
    { actor: 'tester', approver: null, reason: 'a test' },
    async (within) => {
      await setMerchantStatus(within, held, 'disabled');
      return { ok: true, value: { subject: held, value: null } };
    },
  );
  await waitFor('the wait', async () => (await waitingForLocks()) === 1);
  await sleep(1_500);
  await release();
  expect(await changed).toMatchObject({ ok: true });
  await patient.close();
});

test('after all of this the audit finds nothing', async () => {
  expect((await audit(one.domain)).violations).toEqual([]);
});
