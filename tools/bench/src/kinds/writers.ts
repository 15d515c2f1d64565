import type { Kind, Row } from '../row.ts';
import { startWriters } from '../send-to-writers.ts';

const part = 'writers';
const counts = [1, 2, 4];
/** Callers of one process. They are shared out over several, so that only the number of processes differs. */
const callers = 256;
/** Four processes, compared with one. */
const aims = new Map([
  [1, 0.95],
  [1000, 1],
]);

interface WriterRow extends Row {
  processes: number;
  wallets: number;
  /** Of all processes together. */
  callers: number;
}

function rowsOf(wallets: number): WriterRow[] {
  const of = `${part}, ${wallets} ${wallets === 1 ? 'wallet' : 'wallets'}:`;
  const nameOf = (count: number): string => `${of} payouts by ${count} ledger ${count === 1 ? 'writer' : 'writers'}`;
  const atLeast = aims.get(wallets);
  const aim = atLeast === undefined ? {} : { aim: { atLeast } };
  const common = { unit: '/s', wallets } as const;
  const shared = counts.map((processes) => ({
    ...common,
    name: nameOf(processes),
    processes,
    callers,
    ...(processes > 1 && { peers: [nameOf(1)] }),
    ...(processes === 4 && aim),
  }));
  // Batches are as large as those of one process then. In return each call waits for four times as many.
  const each = { name: `${nameOf(4)}, ${callers} callers each`, processes: 4, callers: 4 * callers };
  return [...shared, { ...common, ...each, ...aim, peers: [nameOf(1)] }];
}

const rows = [1, 10, 100, 1000].flatMap(rowsOf);

/**
 * Several processes with a ledger writer over the same merchants, without HTTP. It shows whether they wait for each
 * other's locks.
 */
export const writers: Kind = {
  part,
  rows,
  measure: async ({ environment, timing }, wanted, report) => {
    for (const row of rows.filter((one) => wanted.includes(one))) {
      const database = await environment.freshDatabase({ hasOrders: true });
      try {
        const writers = await startWriters(environment, database.url, row.processes);
        const measured = writers.measure({ callers: row.callers, wallets: row.wallets }, timing);
        report(row.name, await measured.finally(writers.stop));
      } finally {
        await database.drop();
      }
    }
  },
};
