import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { Domain, MerchantProfile } from '@tidegate/domain';
import { auditSeals, openSealedRowsThreads, type ReadSealedRows } from '@tidegate/domain/worker';
import { cpuMsOfTree } from './cpu-time.ts';
import { createOrder, makeBenchKeys, merchantNo, orderRequest, seedMerchants } from './merchants.ts';
import { withDomain, withPostgres } from './own-postgres.ts';
import { merchantOf } from './send-to-writer.ts';

// Usage: node tools/bench/src/audit-seals.ts [--payouts 50000] [--callers 256]
// Measures the daily run that seals and verifies months of the ledger (ADR 0026). The ledger writer first fills the
// ledger with paid payouts, two entries each. The first run checks these rows by all rules and seals them. The second
// and third run verify all seals, in this thread and in two others; in production a daily run verifies a tenth of them.
// Prints seconds, processor time per entry, and how long the run delays other work of this thread.

const { values } = parseArgs({
  options: { payouts: { type: 'string', default: '50000' }, callers: { type: 'string', default: '256' } },
});
const payouts = Number(values.payouts);
const wallets = 20;
const callers = Number(values.callers);
const twoMonths = 62 * 24 * 60 * 60_000;

await withPostgres(({ databaseUrl, pid }) =>
  withDomain(databaseUrl, async (domain) => {
    await seedMerchants(domain, wallets, makeBenchKeys());
    await measured(pid, 'written', payouts * 2, () => fill(domain));
    await domain.database.pool.query('vacuum (analyze)');
    const entries = await countOf(domain, 'select count(*) as n from wallet_entry');
    await measured(pid, 'new, all rules', entries, () => runOnce(domain, 0));
    const seals = await countOf(domain, 'select count(*) as n from period_seal');
    const most = Number.MAX_SAFE_INTEGER;
    const again = "update audit_run set finished_at = null where run = 'sealing'";
    await domain.database.pool.query(again);
    await measured(pid, 'sealed, verified in one thread', entries, () => runOnce(domain, most));
    const threads = openSealedRowsThreads(domain, databaseUrl);
    await domain.database.pool.query(again);
    await measured(pid, 'sealed, verified in two threads', entries, () => runOnce(domain, most, threads.read));
    await threads.close();
    await mustBeSound(domain, seals);
  }),
);

async function measured(postgresPid: number, what: string, entries: number, work: () => Promise<void>): Promise<void> {
  const cpu = (): [node: number, postgres: number] => {
    const { user, system } = process.cpuUsage();
    return [(user + system) / 1_000, cpuMsOfTree(postgresPid)];
  };
  const [nodeBefore, postgresBefore] = cpu();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  delay.disable();
  const [node, server] = cpu();
  const each = (ms: number): string => `${((1_000 * ms) / entries).toFixed(1)} µs`;
  const perEntry = `Node ${each(node - nodeBefore)}, PostgreSQL ${each(server - postgresBefore)} per entry`;
  const delays = [50, 99, 100].map((part) => (delay.percentile(part) / 1e6).toFixed(0)).join(', ');
  console.log(`${what}: ${entries} entries in ${seconds.toFixed(1)} s; processor time: ${perEntry}`);
  console.log(`  a timer of 5 ms in this thread took ${delays} ms (median, p99, longest)`);
}

/**
 * One run with a clock two months ahead, so that the month of all rows is over. It verifies at least `leastRows` rows.
 */
async function runOnce(domain: Domain, leastRows: number, readRows?: ReadSealedRows): Promise<void> {
  const now = (): number => Date.now() + twoMonths;
  const outcome = await auditSeals(domain, { forMs: Number.POSITIVE_INFINITY, files: null, readRows, now, leastRows });
  if (outcome !== 'finished') throw new Error(`the run is ${outcome}`);
}

/** Throws if the run reported a finding or skipped a seal: its figures would not be those of a correct ledger. */
async function mustBeSound(domain: Domain, seals: number): Promise<void> {
  const findings = await countOf(domain, 'select count(*) as n from audit_finding');
  const verified = await countOf(domain, 'select count(*) as n from period_seal where verified_at is not null');
  const links = await countOf(domain, 'select count(*) as n from ledger_batch');
  if (findings > 0 || verified !== seals || seals === 0)
    throw new Error(`${findings} findings, ${verified} of ${seals} seals were verified`);
  console.log(`${seals} seals over ${links} links, no findings`);
}

async function fill(domain: Domain): Promise<void> {
  const merchants: MerchantProfile[] = [];
  for (let n = 1; n <= wallets; n += 1) merchants.push(await merchantOf(domain, merchantNo('payout', n)));
  let left = payouts;
  const payOn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const merchant = merchants[left % wallets];
      if (merchant) await payOne(domain, merchant);
    }
  };
  await Promise.all(Array.from({ length: callers }, payOn));
}

async function payOne(domain: Domain, merchant: MerchantProfile): Promise<void> {
  const created = await createOrder.payout(domain, merchant, orderRequest('payout'));
  if (!created.ok) throw new Error(`a payout was refused: ${created.rejection}`);
  const { orderNo, amount } = created.value;
  const ref = { merchantId: merchant.merchantId, orderNo };
  const answer = { outcome: 'paid', payments: [{ reference: orderNo, amount }] } as const;
  await domain.commit({ type: 'applyReport', ref, channelId: 'bank', answer, during: 'callback' });
}

async function countOf(domain: Domain, sql: string): Promise<number> {
  const { rows } = await domain.database.pool.query<{ n: string }>(sql);
  return Number(rows[0]?.n ?? 0);
}
