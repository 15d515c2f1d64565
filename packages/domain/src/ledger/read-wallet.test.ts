import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byHand } from '../../test/by-hand.ts';
import { audit } from '../audit/audit.ts';
import type { Transfer } from '../core/ledger.ts';
import { type LedgerBatch, ledgerBatch } from '../core/ledger-batch.ts';
import type { WalletEntry } from '../core/wallet.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { aTopUp } from '../testing/payins.ts';
import { aFundedMerchant, aPayout, placePayout } from '../testing/payouts.ts';
import { readWallet, readWalletPage } from './read-wallet.ts';

// A wallet's pages: ranges of its entries' numbers, whatever is added meanwhile, and as cheap at the far end as at the near one.

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url, { batchSize: 3 });
});
afterAll(() => fixture.close());

const numbers = async (merchantId: string, page: number, size: number): Promise<{ total: number; nos: number[] }> => {
  const { total, entries } = await readWalletPage(fixture.domain, merchantId, page, size);
  return { total, nos: entries.map(({ entryNo }) => entryNo) };
};
const range = (from: number, downTo: number): number[] =>
  Array.from({ length: Math.max(0, from - downTo + 1) }, (_, i) => from - i);

test.each([
  [1, 20, range(45, 26)],
  [2, 20, range(25, 6)],
  [3, 20, range(5, 1)],
  [4, 20, []],
  [1, 100, range(45, 1)],
  [45, 1, [1]],
  [46, 1, []],
  [90_071_992_547_409, 100, []],
])('page %i with %i entries has the expected entries and the total', async (page, size, expected) => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN');
  await Promise.all(Array.from({ length: 44 }, (_, i) => fixture.domain.commit(aTopUp(merchantId, `T-${i}`))));
  expect(await numbers(merchantId, page, size)).toEqual({ total: 45, nos: expected });
});

test('a wallet without entries and an unknown wallet have an empty page', async () => {
  const { domain } = fixture;
  expect(await readWalletPage(domain, 'PLATFORM-IN', 1, 20)).toEqual({ total: 0, entries: [] });
  expect(await readWallet(domain, 'PLATFORM-IN')).toMatchObject({ balance: '0.00', available: '0.00', frozen: '0.00' });
  await expect(readWallet(domain, 'NOBODY')).rejects.toThrow('merchant NOBODY has no wallet');
});

test.each([1, 3, 7])(
  'reading pages of %i entries while entries are added skips none and repeats none within a page',
  { timeout: 60_000 },
  async (size) => {
    const { domain } = fixture;
    const { merchantId } = await aFundedMerchant(domain, 'PK', '1000000.00');
    await Promise.all(Array.from({ length: 40 }, () => domain.commit(aPayout(merchantId, 'PK'))));
    let walking = true;
    let added = 0;
    const adding = (async () => {
      for (; walking && added < 2_000; added++) await domain.commit(aPayout(merchantId, 'PK'));
    })();
    const start = (await numbers(merchantId, 1, 1)).total;
    // One that was committed before may be counted only now.
    const addedThen = added + 1;
    const seen = new Set<number>();
    let newest = 0;
    for (let page = 1; page < 10_000; page++) {
      const { total, nos } = await numbers(merchantId, page, size);
      // Of one moment: the page is the range that its total says.
      const top = total - (page - 1) * size;
      expect(nos).toEqual(range(top, Math.max(1, top - size + 1)));
      expect(total).toBeGreaterThanOrEqual(newest);
      newest = total;
      for (const no of nos) seen.add(no);
      if (seen.has(1)) break;
      // However quick the walk is, something is added while it goes on.
      if (page === 1) await expect.poll(() => added, { interval: 1 }).toBeGreaterThan(addedThen);
    }
    walking = false;
    await adding;
    expect(newest).toBeGreaterThan(start);
    expect(range(start, 1).filter((no) => !seen.has(no))).toEqual([]);
  },
);

test('available and frozen that are read during changes belong to one moment', async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'IN', '1000.00');
  const payouts = Array.from({ length: 30 }, () =>
    placePayout(domain, merchantId, 'IN', { amount: '7.00', feeAmount: '3.00' }),
  );
  const reads = await Promise.all(Array.from({ length: 60 }, () => readWallet(domain, merchantId)));
  await Promise.all(payouts);
  expect(new Set(reads.map(({ balance }) => balance))).toEqual(new Set(['1000.00']));
});

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

test('the last page of 50,000 entries costs as much as the first, by the primary key', {
  timeout: 120_000,
}, async () => {
  const { domain } = fixture;
  const { merchantId } = await aFundedMerchant(domain, 'IN', '1.00');
  const count = 50_000;
  await addTopUps(merchantId, count);
  expect((await audit(domain)).violations).toEqual([]);
  await domain.database.pool.query('analyze wallet_entry');

  const client = await domain.database.pool.connect();
  const sent: { text: string; values: unknown[] }[] = [];
  const query = (statement: (typeof sent)[number]): unknown => {
    sent.push(statement);
    return client.query(statement);
  };
  const spy = { ...domain, database: { ...domain.database, reading: { query } } };
  try {
    const costs: number[] = [];
    for (const page of [1, 1, 1, 1, 1, 1, 250, 500]) {
      const { entries, total } = await readWalletPage(spy as never, merchantId, page, 100);
      expect([total, entries.length, entries[0]?.entryNo]).toEqual([count, 100, count - (page - 1) * 100]);
      // The same statement, as it is planned after it was prepared.
      const { text, values } = sent.at(-1) as (typeof sent)[number];
      const literal = text.replace(/\$(\d)/g, (_, n: string) => `'${values[Number(n) - 1]}'`);
      for (const explained of [
        literal,
        `execute "read-wallet-page" (${values.map((value) => `'${value}'`).join(', ')})`,
      ]) {
        const { rows } = await client.query(`explain (analyze, buffers, format json) ${explained}`);
        const plan = rows[0]['QUERY PLAN'][0].Plan as Plan;
        const onEntries = nodes(plan).filter((node) => node['Index Name'] === 'wallet_entry_pkey');
        expect(onEntries).toHaveLength(1);
        expect(onEntries[0]?.['Actual Rows']).toBe(100);
        for (const node of nodes(plan)) {
          expect(`${node['Node Type']} ${node['Rows Removed by Filter'] ?? 0}`).not.toMatch(/Seq Scan.*[1-9]\d\d/);
          expect(node['Node Type']).not.toBe('Limit');
        }
        costs.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
      }
    }
    expect(Math.max(...costs)).toBeLessThan(60);
  } finally {
    client.release();
  }
});

/** As the ledger writer would have written them, triggers and checks included, but in one statement. */
async function addTopUps(merchantId: string, upTo: number): Promise<void> {
  const { pool } = fixture.domain.database;
  const { rows } = await pool.query(
    'select last_batch_no::integer as "batchNo", last_batch_hash as "batchHash" from wallet where merchant_id = $1',
    [merchantId],
  );
  let { batchNo, batchHash } = rows[0] as { batchNo: number; batchHash: string };
  const createdAt = Date.now();
  const entriesInBatch = 1_000;
  const batches: LedgerBatch[] = [];
  const entries: WalletEntry[] = [];
  const transfers: Transfer[] = [];
  for (let first = 2; first <= upTo; first += entriesInBatch) {
    batchNo += 1;
    const nos = Array.from({ length: Math.min(entriesInBatch, upTo - first + 1) }, (_, i) => first + i);
    const added = nos.map((no) => aTopUpOf(merchantId, no, { createdAt, batchNo }));
    const rows = { entries: added.map(({ entry }) => entry), transfers: added.map(({ transfer }) => transfer) };
    const link = { merchantId, batchNo, previousHash: batchHash, at: createdAt };
    const batch = ledgerBatch(link, { orders: [], transitions: [], payments: [], cases: [], decisions: [], ...rows });
    batchHash = batch.hash;
    batches.push(batch);
    entries.push(...rows.entries);
    transfers.push(...rows.transfers);
  }
  const { insertEntries, insertTransfers, insertBatches } = fixture.domain.sql;
  await byHand(pool, async (client) => {
    await client.query({ ...insertEntries, values: insertEntries.valuesOf(entries) });
    await client.query({ ...insertTransfers, values: insertTransfers.valuesOf(transfers) });
    await client.query({ ...insertBatches, values: insertBatches.valuesOf(batches) });
    await client.query(
      `update wallet set available = $2, last_entry_no = $3, last_transfer_no = $3, last_batch_no = $4, last_batch_hash = $5
     where merchant_id = $1`,
      [merchantId, `${upTo}.00`, upTo, batchNo, batchHash],
    );
  });
}

/** The entry with this number, a top-up of 1.00, and its transfer. */
function aTopUpOf(merchantId: string, no: number, row: { createdAt: number; batchNo: number }) {
  const entry: WalletEntry = {
    merchantId,
    entryNo: no,
    type: 'TOP_UP',
    availableChange: '1.00',
    frozenChange: '0.00',
    availableBefore: `${no - 1}.00`,
    availableAfter: `${no}.00`,
    frozenBefore: '0.00',
    frozenAfter: '0.00',
    orderNo: null,
    merchantOrderNo: null,
    remark: 'test',
    bookingNo: `B-${no}`,
    counter: null,
    corrects: null,
    ...row,
  };
  const transfer: Transfer = {
    merchantId,
    transferNo: no,
    debit: 'external',
    credit: 'available',
    currency: 'INR',
    amount: '1.00',
    cause: 'top_up',
    orderNo: null,
    ...row,
  };
  return { entry, transfer };
}
