import type { Domain } from '@tidegate/domain';
import { medianOf } from '../median.ts';
import { merchantNo } from '../merchants.ts';
import type { Kind, Row } from '../row.ts';
import { runPgbench } from '../run-pgbench.ts';
import { createOne, merchantOf } from '../send-to-writer.ts';

const unbatched = 'one payout at a time, batching off';
const batched = 'one payout at a time';
const pgbench = 'one payout at a time, pgbench';

const rows: readonly Row[] = [
  { name: pgbench, unit: 'ms' },
  { name: unbatched, unit: 'ms' },
  { name: batched, unit: 'ms', peers: [unbatched], aim: { atMost: 1.5 } },
];

/** The wait of a single create on an idle system, with batching on and off, measured alternately on one database. */
export const alone: Kind = {
  rows,
  measure: async ({ environment, timing }, wanted, report) => {
    const isWanted = (name: string): boolean => wanted.some((row) => row.name === name);
    const database = await environment.freshDatabase({ hasOrders: true });
    try {
      if (isWanted(pgbench)) {
        const run = {
          databaseUrl: database.url,
          scriptFile: environment.peers.scriptFiles.payout,
          clients: 1,
          wallets: 1,
        };
        report(pgbench, { figure: (await runPgbench(run, timing)).meanMs });
      }
      if (!isWanted(unbatched) && !isWanted(batched)) return;
      const domains = new Map<string, Domain>([
        [unbatched, await environment.openDomain(database.url, { batchSize: 1 })],
        [batched, await environment.openDomain(database.url)],
      ]);
      try {
        for (const [name, figure] of await measureAlternately(domains, timing)) report(name, { figure });
      } finally {
        for (const domain of domains.values()) await domain.close();
      }
    } finally {
      await database.drop();
    }
  },
};

/** The median wait of each domain, in ms. */
async function measureAlternately(
  domains: ReadonlyMap<string, Domain>,
  timing: { warmUp: number; seconds: number },
): Promise<[name: string, ms: number][]> {
  const waits = new Map([...domains.keys()].map((name) => [name, [] as number[]]));
  const merchantId = merchantNo('payout', 1);
  const from = performance.now() + timing.warmUp * 1000;
  while (performance.now() < from + timing.seconds * 1000)
    for (const [name, domain] of domains) {
      const merchant = await merchantOf(domain, merchantId);
      const sentAt = performance.now();
      await createOne(domain, 'payout', merchant);
      if (sentAt >= from) waits.get(name)?.push(performance.now() - sentAt);
    }
  return [...waits].map(([name, ms]) => [name, medianOf(ms)]);
}
