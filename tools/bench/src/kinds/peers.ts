import type { BenchEnvironment } from '../bench-environment.ts';
import type { Timing } from '../closed-loop.ts';
import type { Kind, Measured, Row } from '../row.ts';
import { type Load, measureCreates } from './creates.ts';

const part = 'peers';
const writerCallers = 64;

interface PeerRow extends Row, Pick<Load, 'way' | 'wallets'> {}

function rowsOf(wallets: number, httpAtLeast: number): PeerRow[] {
  const of = `${part}, ${wallets} ${wallets === 1 ? 'wallet' : 'wallets'}:`;
  const best = `${of} payouts by pgbench at its best`;
  const common = { unit: '/s', wallets } as const;
  return [
    { ...common, name: best, way: 'pgbench' },
    { ...common, name: `${of} payouts by one function at its best`, way: 'function', peers: [best] },
    { ...common, name: `${of} transfers by pgledger at its best`, way: 'pgledger', peers: [best] },
    { ...common, name: `${of} payouts by writer`, way: 'writer', peers: [best] },
    { ...common, name: `${of} payouts by http at its best`, way: 'http', peers: [best], aim: { atLeast: httpAtLeast } },
  ];
}

const rows = [...rowsOf(1, 5), ...rowsOf(1000, 1.6)];

/** Payouts, compared with pgbench. Both with their best number of clients. */
export const peers: Kind = {
  part,
  rows,
  measure: async ({ environment, timing, warmed, clientCounts }, wanted, report) => {
    for (const { name, way, wallets } of rows.filter((row) => wanted.includes(row))) {
      if (way === 'pgledger' && environment.peers.pgledger.folder === null) continue;
      const load = { kind: 'payout', way, wallets } as const;
      if (way === 'writer')
        report(name, await measureCreates(environment, { ...load, callers: writerCallers }, warmed));
      else if (way === 'http') report(name, await measureBest(environment, load, warmed, clientCounts.http));
      else report(name, await measureBest(environment, load, timing, clientCounts.pgbench));
    }
  },
};

/** The number of clients with the highest rate. */
async function measureBest(
  environment: BenchEnvironment,
  load: Omit<Load, 'callers'>,
  timing: Timing,
  clientCounts: readonly number[],
): Promise<Measured> {
  const tried: { clients: number; measured: Measured }[] = [];
  for (const clients of clientCounts)
    tried.push({ clients, measured: await measureCreates(environment, { ...load, callers: clients }, timing) });
  const [best] = tried.toSorted((a, b) => b.measured.figure - a.measured.figure);
  if (!best) throw new Error('no number of clients was tried');
  const all = tried.map(({ clients, measured }) => `${clients}: ${measured.figure.toFixed(0)}`);
  return { ...best.measured, note: `best with ${best.clients} clients of ${all.join(', ')}` };
}
