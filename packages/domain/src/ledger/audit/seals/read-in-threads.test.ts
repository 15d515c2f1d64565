import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { minute, month, openSealedLedger, type SealedLedger, sealable } from '../../../../test/sealed-ledger.ts';
import { LedgerUnavailable } from '../../../database/connection-loss.ts';
import { auditSeals } from '../audit-seals.ts';
import { ledgerSqlOf } from '../ledger-sql.ts';
import { startOf } from '../position.ts';
import { inSnapshot } from '../snapshot.ts';
import { noTrees } from './period-walk.ts';
import { openSealedRowsThreads, type SealedRowsThreads } from './read-in-threads.ts';
import { readSealedRows, type SealedPart } from './read-sealed-rows.ts';

// Rows of seals that are read in threads, with real threads and connections.

let ledger: SealedLedger;
let threads: SealedRowsThreads;
beforeEach(async () => {
  ledger = await openSealedLedger();
  threads = openSealedRowsThreads(ledger.domain, ledger.url);
});
afterEach(async () => {
  await threads.close();
  await ledger.close();
});

/** All rows of each merchant. */
const parts = (): SealedPart[] => ledger.merchants.map((merchantId) => ({ from: startOf(merchantId), trees: noTrees }));

const sessions = (): Promise<{ pid: number }[]> =>
  ledger.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'tidegate seals'`,
  );

async function verify() {
  await ledger.makeDue();
  const options = { forMs: minute, files: null, readRows: threads.read, now: () => sealable };
  return auditSeals(ledger.domain, options);
}

test('threads compute the same hashes and find the same violations as this thread', async () => {
  await ledger.tamper('transfer', 'update transfer set amount = amount + 1 where order_no = $paid');
  const sql = ledgerSqlOf(ledger.domain.database.orm);
  const here = await inSnapshot(ledger.domain, (read) => readSealedRows(read, sql, parts()));
  expect(await threads.read(parts())).toEqual(here);
  expect(here.flatMap(({ violations }) => violations)).not.toEqual([]);
  expect(here.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(20);
});

test('the daily run with threads finds a changed row of a sealed month', async () => {
  await ledger.seal(sealable, null);
  expect(await verify()).toBe('finished');
  expect(await ledger.found()).toEqual([]);
  await ledger.tamper('wallet_entry', "update wallet_entry set remark = 'x' where order_no = $paid");
  expect(await verify()).toBe('finished');
  expect(await ledger.found()).toContain(`sealed rows are as they were sealed: seal 1 of ${month}`);
});

test('after its connection was lost, a thread opens another one', async () => {
  await threads.read(parts());
  const [first] = await sessions();
  await ledger.query(`select pg_terminate_backend(${first?.pid})`);
  await vi.waitFor(async () => expect(await threads.read(parts())).toHaveLength(ledger.merchants.length), 30_000);
});

test('an unavailable database rejects as such, and closing ends threads and their connections', async () => {
  const broken = openSealedRowsThreads(ledger.domain, 'postgres://127.0.0.1:1/none');
  await expect(broken.read(parts())).rejects.toThrow(LedgerUnavailable);
  await broken.close();
  await threads.read(parts());
  expect(await sessions()).not.toEqual([]);
  await threads.close();
  await vi.waitFor(async () => expect(await sessions()).toEqual([]), 30_000);
});
