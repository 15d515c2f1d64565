import type { Aim, Kind, Row } from '../row.ts';
import { measureHttp } from './creates.ts';

const part = 'processes';
const counts = [1, 2, 4];
/** The total number of callers, shared out over the processes, so that only the number of processes differs. */
const callers = 128;

interface ProcessRow extends Row {
  processes: number;
  wallets: number;
}

function rowsOf(wallets: number, aimOfFour: Aim | null): ProcessRow[] {
  const nameOf = (count: number): string =>
    `${part}, ${wallets} ${wallets === 1 ? 'wallet' : 'wallets'}: payouts by ${count} REST ${count === 1 ? 'adapter' : 'adapters'}`;
  return counts.map((processes) => ({
    name: nameOf(processes),
    unit: '/s',
    processes,
    wallets,
    ...(processes > 1 && { peers: [nameOf(1)] }),
    ...(processes === 4 && aimOfFour !== null && { aim: aimOfFour }),
  }));
}

const rows = [...rowsOf(1, { atLeast: 0.95 }), ...rowsOf(100, null), ...rowsOf(1000, { atLeast: 1 })];

/**
 * Several REST adapters over the same merchants, compared with one. It shows whether they wait for each other's locks.
 */
export const processes: Kind = {
  part,
  rows,
  measure: async ({ environment, warmed }, wanted, report) => {
    for (const row of rows.filter((one) => wanted.includes(one))) {
      const database = await environment.freshDatabase({ hasOrders: true });
      const load = { kind: 'payout', callers, wallets: row.wallets } as const;
      // The processes share the requests, and each needs as many as a single one until V8 has compiled what runs often.
      const each = { ...warmed, warmUp: warmed.warmUp * row.processes };
      try {
        report(row.name, await measureHttp(environment, database.url, load, each, row.processes));
      } finally {
        await database.drop();
      }
    }
  },
};
