import { createTestDatabase } from '@tidegate/sandbox/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedSum } from '../../core/money.ts';
import { type EntryType, entryTypes } from '../../core/wallet.ts';
import { type Scope, unrestricted } from '../../lists/scope.ts';
import { aFundedMerchant, openTestDomain, type TestDomain } from '../../testing/index.ts';
import { readStatement, readStatementTotals, statementRequest, type WalletStatement } from './read-statement.ts';
import { rollUpEntries } from './roll-up-entries.ts';

const dayMs = 86_400_000;
const days = 40;
const first = Date.UTC(2026, 0, 20);
/** Clocks change in two of them within these days. */
const zones = ['UTC', 'Asia/Kolkata', 'Asia/Bangkok', 'Asia/Kathmandu', 'America/New_York', 'America/Asuncion'];

let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ({ merchantId } = await aFundedMerchant(fixture.domain, 'IN', '1.00'));
  await writeHistory(3_700);
});
afterAll(() => fixture.close());

/** The changes of each type that the database allows, in hundredths. */
const changes: Record<EntryType, (n: number) => [available: number, frozen: number]> = {
  PAYIN: (n) => [n, 0],
  PAYOUT_FREEZE: (n) => [-n, n],
  PAYOUT_RELEASE: (n) => [n, -n],
  PAYOUT: (n) => [0, -n],
  PAYOUT_RETURN: (n) => [n, 0],
  TOP_UP: (n) => [n, 0],
  SETTLEMENT: (n) => [-n, 0],
  ADJUSTMENT: (n) => [n % 2 === 0 ? n : -n, 0],
};
const text = (hundredths: number): string => (hundredths / 100).toFixed(2);

/** Gives the wallet a history of so many entries over the days; some are of the same millisecond, some days have none. */
async function writeHistory(entries: number): Promise<void> {
  let [available, frozen, at] = [0, 0, first];
  const rows = Array.from({ length: entries }, (_, i) => {
    // The first two fill the wallet.
    const type =
      (['TOP_UP', 'PAYOUT_FREEZE'] as const)[i] ?? entryTypes[(i * 7 + (i % 3)) % entryTypes.length] ?? 'PAYIN';
    const [a, f] = changes[type](i < 2 ? (2 - i) * 900_000_000 : 1 + ((i * 7_919) % 10_000));
    at += i % 5 === 0 ? 0 : ((i * 104_729) % 997) * 1_900;
    const row = { no: i + 1, type, a: text(a), f: text(f), ab: text(available), fb: text(frozen), at };
    [available, frozen] = [available + a, frozen + f];
    return row;
  });
  expect(at).toBeGreaterThan(first + 30 * dayMs);
  const client = await fixture.domain.database.pool.connect();
  try {
    await client.query("set session_replication_role = 'replica'");
    await client.query('delete from wallet_entry where merchant_id = $1', [merchantId]);
    await client.query(
      `insert into wallet_entry (merchant_id, entry_no, type, available_change, frozen_change, available_before, available_after, frozen_before,
         frozen_after, order_no, booking_no, created_at, batch_no)
       select $1, no, type, a, f, ab, ab + a, fb, fb + f, 'PI' || no, 'B' || no, to_timestamp(at / 1000), 0
       from json_to_recordset($2::json) as r(no bigint, type text, a numeric, f numeric, ab numeric, fb numeric, at float8)`,
      [merchantId, JSON.stringify(rows)],
    );
    await client.query('update wallet set last_entry_no = $2 where merchant_id = $1', [merchantId, entries]);
  } finally {
    await client.query('reset session_replication_role');
    client.release();
  }
}

const dayOf = (n: number): string => new Date(first + n * dayMs).toISOString().slice(0, 10);

async function statementOf(firstDay: number, lastDay: number, timeZone = 'UTC'): Promise<WalletStatement> {
  const request = { merchantId, firstDay: dayOf(firstDay), lastDay: dayOf(lastDay), timeZone };
  const statement = await readStatement(fixture.domain, unrestricted, request);
  if (!statement) throw new Error('no statement');
  return statement;
}

/** The same sums, by the slow way: every entry of the period added up. */
async function plainTotals({ from, to }: WalletStatement): Promise<object[]> {
  const { rows } = await fixture.domain.database.pool.query(
    `select type, count(*)::integer as entries, sum(available_change)::text as "availableChange", sum(frozen_change)::text as "frozenChange"
     from wallet_entry where merchant_id = $1 and created_at >= to_timestamp($2::float8 / 1000) and created_at < to_timestamp($3::float8 / 1000)
     group by type`,
    [merchantId, from, to],
  );
  return entryTypes.flatMap((type) => rows.find((row) => row.type === type) ?? []);
}

async function checkStatement(statement: WalletStatement): Promise<void> {
  const totals = await readStatementTotals(fixture.domain, statement);
  expect(totals).toEqual(await plainTotals(statement));
  const { opening, closing, currency } = statement;
  let { available, frozen } = opening;
  for (const { availableChange, frozenChange } of totals ?? []) {
    available = signedSum(currency, available, availableChange);
    frozen = signedSum(currency, frozen, frozenChange);
  }
  expect(closing).toEqual({ available, frozen, balance: signedSum(currency, available, frozen) });
}

test('opening balance plus movements equals the closing balance, for any days in any time zone, at every position of the roll-up', async () => {
  const range = fc.tuple(fc.nat(days), fc.nat(days)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  await fc.assert(
    fc.asyncProperty(range, fc.constantFrom(...zones), fc.nat(3), async ([from, to], zone, steps) => {
      await fixture.domain.database.pool.query('truncate wallet_entry_sum');
      for (let n = 0; n < steps; n += 1) await rollUpEntries(fixture.domain, { wallets: 1, blocks: 1 });
      await checkStatement(await statementOf(from, to, zone));
    }),
    { numRuns: 40 },
  );
});

test('a period begins with the closing balance of the previous one, and no entry is in both or in neither', async () => {
  for (const zone of zones) {
    const [whole, before, after] = await Promise.all([
      statementOf(1, 30, zone),
      statementOf(1, 17, zone),
      statementOf(18, 30, zone),
    ]);
    expect(after.opening).toEqual(before.closing);
    expect([before.after, before.last, after.last]).toEqual([whole.after, after.after, whole.last]);
  }
});

test('before the first entry all is zero, and after the last one nothing moves', async () => {
  const zero = { available: '0.00', frozen: '0.00', balance: '0.00' };
  expect(await statementOf(-10, -5)).toMatchObject({ after: 0, last: 0, opening: zero, closing: zero });
  const later = await statementOf(200, 210);
  expect(later.opening).toEqual(later.closing);
  expect(await readStatementTotals(fixture.domain, later)).toEqual([]);
});

test('the sums of every full block are written once, and a statement that would read too many entries has no totals', async () => {
  const { pool } = fixture.domain.database;
  await pool.query('truncate wallet_entry_sum');
  const whole = await statementOf(0, days);
  expect(await readStatementTotals(fixture.domain, whole, 3_699)).toBe(null);
  expect(await readStatementTotals(fixture.domain, whole, 3_700)).not.toBe(null);
  let calls = 1;
  while (await rollUpEntries(fixture.domain, { wallets: 5, blocks: 2 })) calls += 1;
  await Promise.all([rollUpEntries(fixture.domain), rollUpEntries(fixture.domain)]);
  const { rows } = await pool.query(
    'select count(distinct block_no)::integer as blocks, sum(entries)::integer as entries from wallet_entry_sum',
  );
  expect([calls, rows]).toEqual([2, [{ blocks: 3, entries: 3_000 }]]);
  expect(await readStatementTotals(fixture.domain, whole, 700)).toEqual(await plainTotals(whole));
});

test('a merchant out of scope has no statement', async () => {
  const request = { merchantId, firstDay: dayOf(1), lastDay: dayOf(2), timeZone: 'UTC' };
  const scopes: Scope[] = [
    { countries: ['TH'], merchantIds: null },
    { countries: null, merchantIds: ['CN10001'] },
  ];
  for (const scope of scopes) expect(await readStatement(fixture.domain, scope, request)).toBe(null);
});

test.each([
  [{ firstDay: '2026-02-30' }, 'must be a day'],
  [{ firstDay: '2026-03-02' }, 'must not lie before'],
  [{ firstDay: '2025-01-25' }, 'less than 400 days'],
  [{ timeZone: '+05:30' }, 'IANA'],
])('the period %j is refused: %s', (part, reason) => {
  const parsed = statementRequest.safeParse({
    merchantId: 'IN10001',
    firstDay: '2026-03-01',
    lastDay: '2026-03-01',
    ...part,
  });
  expect(parsed.success ? '' : parsed.error.issues.map(({ message }) => message).join()).toContain(reason);
});
