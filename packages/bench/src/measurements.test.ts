import { audit } from '@tidegate/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pgbenchVersion } from './find-pgbench.ts';
import { type Ground, prepareGround } from './ground.ts';
import { type Measurement, measure } from './measurements.ts';
import { newestPayoutRows, type PayoutRows, payoutTables } from './payout-rows.ts';
import { lineOf, tableOf } from './report.ts';

// Every piece of the benchmark, for a moment: it measures what it says it does.

const wallets = 3;
const moment = { warmUp: 0.2, seconds: 1 };

let ground: Ground;
beforeAll(async () => {
  ground = await prepareGround(wallets);
});
afterAll(() => ground.stop());

/** Runs it for a moment; gives what was measured, the rows that it wrote last, and what the audit says of all. */
async function look(measurement: Pick<Measurement, 'way' | 'callers' | 'wallets'>) {
  let rows: PayoutRows | undefined;
  let report: Awaited<ReturnType<typeof audit>> | undefined;
  const measured = await measure(ground, { name: 'a moment', ...measurement }, moment, async (databaseUrl) => {
    const domain = await ground.openDomain(databaseUrl);
    rows = await newestPayoutRows(domain.database.pool);
    report = await audit(domain);
    await domain.close();
  });
  if (!rows || !report) throw new Error('nothing was inspected');
  return { measured, rows, report };
}

test.each([
  { way: 'seam', callers: 8, wallets: 1 },
  { way: 'seam', callers: 8, wallets },
  { way: 'http', callers: 4, wallets },
] as const)('payouts through the $way over $wallets wallets: the books are right afterwards', async (measurement) => {
  const { measured, report } = await look(measurement);
  expect(measured.perSecond).toBeGreaterThan(0);
  expect(measured.p99Ms).toBeGreaterThanOrEqual(measured.waitMs);
  expect(report.violations).toEqual([]);
  expect(report.checked.entries).toBeGreaterThan(wallets + measured.perSecond * moment.seconds);
});

test.runIf(pgbenchVersion() !== null)(
  'pgbench writes the same rows as we do: as many, the same columns, as wide',
  async () => {
    const ours = await look({ way: 'seam', callers: 2, wallets });
    const theirs = await look({ way: 'pgbench', callers: 2, wallets });
    expect(theirs.measured.perSecond).toBeGreaterThan(0);
    for (const table of payoutTables) {
      expect(theirs.rows[table].map(Object.keys), table).toEqual(ours.rows[table].map(Object.keys));
      expect(theirs.rows[table].map(kindsOf), table).toEqual(ours.rows[table].map(kindsOf));
      const ratio = JSON.stringify(theirs.rows[table]).length / JSON.stringify(ours.rows[table]).length;
      expect(ratio, table).toBeGreaterThan(0.9);
      expect(ratio, table).toBeLessThan(1.1);
    }
    // Balances, sums and gapless numbers: all but the hashes, which pgbench makes of something else.
    const broken = theirs.report.violations.map(({ rule }) => rule).filter((rule) => !/hash/i.test(rule));
    expect(broken).toEqual([]);
    expect(theirs.report.checked.entries).toBeGreaterThan(wallets);
  },
);

test('the table tells how each line stands beside its peer', () => {
  const round = (perSecond: number) => ({ perSecond, waitMs: 1, p99Ms: 2, meanBatch: null });
  const peer = { name: 'pgbench', way: 'pgbench', callers: 1, wallets: 1 } as const;
  const ours = { name: 'seam', way: 'seam', callers: 1, wallets: 1, peer: 'pgbench', aim: 4 } as const;
  const peerRounds = [round(100), round(50), round(100)];
  const lines = [lineOf(peer, peerRounds, undefined), lineOf(ours, [round(390), round(300), round(410)], peerRounds)];
  expect(lines[1]?.ratio).toBe(4.1);
  expect(tableOf(lines)).toMatch(/seam +390 .* 4\.10 x +4 x +met/);
});

function kindsOf(row: Record<string, unknown>): string[] {
  return Object.values(row).map((value) => (value === null ? 'null' : typeof value));
}
