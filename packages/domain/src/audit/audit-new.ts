import type { OrderRef } from '../core/order.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { checkCoverage, rowsOfOrders } from './chain-coverage.ts';
import { checkWallets } from './check-wallets.ts';
import { saveCheckpoints, type Waiting, waitingWallets } from './checkpoints.ts';
import { ledgerSqlOf } from './ledger-sql.ts';
import { checkOrders } from './order-rules.ts';
import { doRun, type Run, type RunOutcome, saveRun } from './run.ts';
import { inSnapshot, type Read } from './snapshot.ts';
import { touchedOrders } from './touched-orders.ts';
import type { Violation } from './violation.ts';

/** Orders whose transitions before this moment (Unix ms) were seen. */
interface Seen {
  seenUntil: number;
}

/** The most that one pass reads, so that its time is bounded. */
const rowsPerPass = 20_000;
const rowsPerStep = 2_000;
const walletsPerStep = 100;

/**
 * Checks what is new in the ledger since the last run, for at most `forMs`. Its cost grows with what is new and open, not
 * with the history. One process runs it at a time. A broken rule becomes a finding (ADR 0005).
 *
 * Checked here:
 * - new entries, transfers and decisions: numbers, balances and accounts, from the last ones checked on. Those must still
 *   exist (`readPages`, `transferRules`, `walletRules`).
 * - new links of the ledger chain: their rows are unchanged, and new entries and decisions, and the orders that they touch,
 *   have no other rows (`checkBatches`, `checkCoverage`).
 * - orders with a new transition, entry or transfer: all invariants of an order (`orderRules`).
 * - merchants whose wallet row has changed, by any writer: all invariants of a wallet (`walletRules`). These are its
 *   balances, the sums of all transfers, and what open payouts, cases and parts hold, old ones too.
 *
 * Left to the whole run (audit-whole.ts): rows that were right once and were changed or removed since, where nothing new
 * happens. These are entries, transfers, decisions, orders and notifications.
 */
export function auditNew(domain: DatabaseAccess & Telemetry, forMs: number): Promise<RunOutcome> {
  const start: Seen = { seenUntil: 0 };
  return doRun(domain, { name: 'incremental', every: 0, start, forMs }, (run) => pass(domain, run));
}

async function pass(domain: DatabaseAccess & Telemetry, run: Run<Seen>): Promise<'finished' | 'going_on'> {
  const touched = await touchedOrders(domain, run.position.seenUntil);
  const waiting = await waitingWallets(domain);
  const checked = new Set<string>();
  let left = rowsPerPass;
  let ended = 0;
  for (const wallets of inSteps(waiting.wallets)) {
    if (left <= 0) break;
    const step = await walletsStep(domain, run, wallets);
    for (const ref of step.named) checked.add(keyOf(ref));
    left -= step.rows;
    ended += step.ended;
  }
  // Orders that were checked together with their wallet are not checked again.
  const refs = touched.refs.filter((ref) => !checked.has(keyOf(ref)));
  const { violations } = await inSnapshot(domain, (read) => checkTouched(read, refs));
  await saveRun(domain, run, { position: { seenUntil: touched.until }, violations });
  return touched.isAll && waiting.isAll && ended === waiting.wallets.length ? 'finished' : 'going_on';
}

async function walletsStep(domain: DatabaseAccess & Telemetry, run: Run<Seen>, wallets: readonly Waiting[]) {
  const positions = wallets.map(({ position }) => position);
  const { check, orders } = await inSnapshot(domain, async (read) => {
    const check = await checkWallets(read, ledgerSqlOf(domain.database.orm), positions, rowsPerStep);
    return { check, orders: await checkTouched(read, check.named) };
  });
  const violations = [...check.violations, ...orders.violations];
  await saveRun(domain, run, { position: run.position, violations }, (client) =>
    saveCheckpoints(client, check.positions, check.ended),
  );
  return { named: check.named, ended: check.ended.size, rows: wallets.length + check.entries + check.transfers };
}

/** Checks all rules of an order, and that the ledger chain covers its rows. */
async function checkTouched(read: Read, refs: readonly OrderRef[]): Promise<{ violations: Violation[] }> {
  const { violations } = await checkOrders(read, refs);
  const uncovered = await checkCoverage(read, await rowsOfOrders(read, refs));
  return { violations: [...violations, ...uncovered] };
}

/** Divides the wallets into steps of limited numbers of rows and wallets. A step has at least one wallet. */
function inSteps(wallets: readonly Waiting[]): Waiting[][] {
  const steps: Waiting[][] = [];
  let rows = rowsPerStep;
  for (const wallet of wallets) {
    const step = steps.at(-1);
    rows += wallet.rows;
    if (step && rows <= rowsPerStep && step.length < walletsPerStep) step.push(wallet);
    else {
      steps.push([wallet]);
      ({ rows } = wallet);
    }
  }
  return steps;
}

function keyOf({ merchantId, orderNo }: OrderRef): string {
  return `${merchantId} ${orderNo}`;
}
