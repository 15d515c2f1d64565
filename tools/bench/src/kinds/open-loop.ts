import type { BenchEnvironment } from '../bench-environment.ts';
import type { Timing } from '../closed-loop.ts';
import type { Kind, Measured, Row } from '../row.ts';
import { arriveAtRest } from '../send-to-rest.ts';
import { type Load, measureCreates, signCreates } from './creates.ts';

const part = 'open loop';
const callers = 64;
/** The rates at which requests arrive, in percent of the rate of the closed loop. */
const shares = [50, 70, 90];
/** So many that a request seldom waits for a free connection, even if the server is slow for a moment. */
const connections = 256;

interface OpenRow extends Row {
  /** Percent of the closed loop's rate; null for the closed loop itself. */
  share: number | null;
}

function rowsOf(wallets: number): { load: Load; rows: OpenRow[] } {
  const of = `${part}, ${wallets} ${wallets === 1 ? 'wallet' : 'wallets'}:`;
  const closed = `${of} payouts by ${callers} callers in a closed loop`;
  const open = shares.map(
    (share): OpenRow => ({ name: `${of} payouts at ${share} % of that`, unit: '/s', peers: [closed], share }),
  );
  return {
    load: { kind: 'payout', way: 'http', callers, wallets },
    rows: [{ name: closed, unit: '/s', share: null }, ...open],
  };
}

const groups = [rowsOf(1), rowsOf(1000)];

/**
 * Measures how long a payout takes if requests arrive at a fixed rate, even while earlier ones are unanswered (an open
 * loop). In a closed loop each caller waits for its answer before the next request. So a slow moment delays few
 * requests, and the measured times look too good.
 */
export const openLoop: Kind = {
  part,
  rows: groups.flatMap(({ rows }) => rows),
  measure: async ({ environment, warmed }, wanted, report) => {
    for (const { load, rows } of groups) {
      if (!rows.some((row) => wanted.includes(row))) continue;
      const closed = await measureCreates(environment, load, warmed);
      for (const row of rows.filter((one) => wanted.includes(one))) {
        const { share, name } = row;
        if (share === null) report(name, closed);
        else report(name, await measureAtRate(environment, load, (closed.figure * share) / 100, warmed));
      }
    }
  },
};

/** Measures on a fresh database. */
async function measureAtRate(
  environment: BenchEnvironment,
  load: Load,
  perSecond: number,
  timing: Timing,
): Promise<Measured> {
  const database = await environment.freshDatabase({ hasOrders: true });
  try {
    const rest = await environment.start('rest-adapter', database.url);
    try {
      const count = Math.ceil((timing.warmUp + timing.seconds) * perSecond);
      const requests = await signCreates(environment, load, count, rest.port);
      let cpuOf = environment.countCpu();
      const counting = (): void => {
        cpuOf = environment.countCpu();
      };
      const waits = await arriveAtRest(rest.port, { perSecond, connections }, requests, timing, counting);
      const { medianMs, p99Ms, p999Ms, answers } = waits;
      return { figure: waits.perSecond, waitMs: medianMs, p99Ms, p999Ms, cpuUs: cpuOf(answers) };
    } finally {
      await rest.stop();
    }
  } finally {
    await database.drop();
  }
}
