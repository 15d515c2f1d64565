import { expect, test } from 'vitest';
import type { BookWallet, Command } from '../core/commands.ts';
import { orderRules } from '../countries/index.ts';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import { openLockingPool } from '../testing/locking-pool.ts';
import { aCreate } from '../testing/payins.ts';
import { openLedgerWriter, type WriterOptions } from './writer.ts';

// Which commands wait for which. There is no database, only locks. Most commands are rejected, which is an answer too.

const by = { actor: 'tester', approver: null, reason: 'a test' };
/** A command of one merchant. */
const booking = (merchantId: string): BookWallet => ({
  type: 'bookWallet',
  entry: 'SETTLEMENT',
  merchantId,
  bookingNo: 'B-1',
  amount: '-1.00',
  remark: 'test',
  by,
});
/** A command of two merchants. */
const credit = (merchantId: string, toMerchantId: string): Command => ({
  type: 'creditCase',
  merchantId,
  caseNo: 1,
  orderNo: null,
  toMerchantId,
  by,
});

function openWriter({
  beforeCommit,
  rolledBack,
  ...options
}: Partial<WriterOptions> & Parameters<typeof openLockingPool>[0] = {}) {
  const database = openLockingPool({ ...(beforeCommit && { beforeCommit }), ...(rolledBack && { rolledBack }) });
  const { commit } = openLedgerWriter({
    pool: database.pool,
    sql: database.sql,
    rules: orderRules,
    batchesAtOnce: 2,
    batchSize: 200,
    queueLimit: 10_000,
    scheduleScale: 1,
    committed: () => undefined,
    ...options,
  });
  const answered: string[] = [];
  const send = (name: string, command: Command): Promise<string> =>
    commit(command).then(
      (result) => {
        answered.push(name);
        return result.ok ? 'done' : result.rejection;
      },
      (error) => (error instanceof LedgerUnavailable ? 'unavailable' : String(error)),
    );
  return { ...database, send, answered };
}

test('a credit to a merchant whose wallet is held does not delay the later commands of its own merchant', async () => {
  const { hold, send } = openWriter({ heldTimeoutMs: 5_000 });
  const release = hold('B');
  const credited = send('credit', credit('P', 'B'));
  // Longer than the 500 ms after which a merchant waits apart.
  const began = performance.now();
  while (performance.now() < began + 800) expect(await send('own', booking('P'))).toBe('balance_insufficient');
  release();
  expect(await credited).toBe('case_not_found');
});

test('a credit to a merchant whose wallet is held is refused in time, however much its own merchant does', async () => {
  const { hold, send } = openWriter({ heldTimeoutMs: 300 });
  hold('B');
  let outcome: string | null = null;
  void send('credit', credit('P', 'B')).then((is) => {
    outcome = is;
  });
  const began = performance.now();
  while (outcome === null && performance.now() < began + 20_000) await send('own', booking('P'));
  expect(outcome).toBe('unavailable');
  expect(await send('own', booking('P'))).toBe('balance_insufficient');
});

test('while a batch credits a merchant, no other batch asks for its wallet, and its commands follow in their order', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { send, begun, answered } = openWriter({ beforeCommit: ({ wanted }) => wanted.includes('P') && promise });
  const all = [send('credit', credit('P', 'B'))];
  await expect.poll(() => begun.length).toBe(1);
  all.push(send('first', booking('B')), send('second', booking('B')));
  // Enough for a second batch, and then more for a third.
  for (let round = 0; round < 3; round += 1)
    await Promise.all(Array.from({ length: 40 }, (_, n) => send('other', booking(`OTHER-${n}`))));
  expect(begun.filter(({ wanted }) => wanted.includes('B'))).toHaveLength(1);
  expect(begun.length).toBeGreaterThan(3);
  resolve();
  expect(await Promise.all(all)).toEqual(['case_not_found', 'balance_insufficient', 'balance_insufficient']);
  expect(answered.filter((name) => name !== 'other')).toEqual(['credit', 'first', 'second']);
});

test('a batch that locked no wallet is followed by one that waits for them, whatever another batch did meanwhile', async () => {
  const nothingLocked = Promise.withResolvers<void>();
  const { hold, send, begun } = openWriter({
    // The other batch ends right after the one that got nothing, before the next one begins.
    beforeCommit: ({ wanted }) => wanted.includes('OTHER-0') && nothingLocked.promise,
    rolledBack: () => nothingLocked.resolve(),
  });
  const others = Array.from({ length: 40 }, (_, n) => send('other', booking(`OTHER-${n}`)));
  await expect.poll(() => begun.length).toBe(1);
  const held = Array.from({ length: 40 }, (_, n) => `HELD-${n}`);
  const release = hold(...held);
  const waiting = held.map((merchantId) => send('held', booking(merchantId)));
  await Promise.all(others);
  await expect.poll(() => begun.length).toBeGreaterThanOrEqual(3);
  release();
  await Promise.all(waiting);
  const [first, second] = begun.filter(({ wanted }) => wanted.includes('HELD-0'));
  expect([first?.waits, second?.waits]).toEqual([false, true]);
});

test('one merchant with 5,000 waiting commands delays those of nine others by few commands', async () => {
  const { send, answered } = openWriter();
  const all = Array.from({ length: 5_000 }, () => send('greedy', booking('GREEDY')));
  await expect.poll(() => answered.length).toBeGreaterThan(0);
  const before = answered.length;
  const quiet = Array.from({ length: 9 }, (_, n) => send('quiet', booking(`QUIET-${n}`)));
  await Promise.all(quiet);
  const last = answered.lastIndexOf('quiet');
  // The batch under way, the transactions that the merchant has for itself, and the batch with the nine.
  expect(answered.slice(before, last).filter((name) => name === 'greedy').length).toBeLessThanOrEqual(5 * 200);
  await Promise.all(all);
});

test('creates of one merchant take only a part of the queue, and its reports and the creates of others are accepted', async () => {
  const database = Promise.withResolvers<void>();
  const { send, begun } = openWriter({ queueLimit: 100, beforeCommit: () => database.promise });
  // Both batches at once are under way.
  const first = send('first', booking('GREEDY'));
  await expect.poll(() => begun.length).toBe(1);
  const creates = Array.from({ length: 200 }, () => send('create', aCreate('GREEDY', 'IN')));
  const reports = Array.from({ length: 5 }, () => send('report', booking('GREEDY')));
  const others = Array.from({ length: 9 }, (_, n) => send('quiet', aCreate(`QUIET-${n}`, 'IN')));
  database.resolve();
  const outcomes = await Promise.all(creates);
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(60);
  expect(outcomes.slice(60).every((outcome) => outcome === 'too_many_requests')).toBe(true);
  expect(new Set(await Promise.all(reports))).toEqual(new Set(['balance_insufficient']));
  expect(new Set(await Promise.all(others))).toEqual(new Set(['done']));
  await first;
});
