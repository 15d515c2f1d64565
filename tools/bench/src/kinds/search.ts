import { openBenchDomain } from '../bench-environment.ts';
import type { Kind } from '../row.ts';
import { measureSearches, type SearchTime } from '../search-times.ts';

/** How many filters are combined at most. */
const parts = Number(process.env.BENCH_SEARCH_PARTS ?? 2);
/** Of the combinations of several filters, every n-th is read. With 1 all pairs are read, about 8,300. */
const every = Number(process.env.BENCH_SEARCH_EVERY ?? 7);
const names = {
  slowest: 'order search, first page, slowest of all filters alone',
  pairs: 'order search, first page, slowest of combined filters',
  middle: 'order search, first page, median of all',
};
const shown = 15;
/** The limit for a first page, in processor time of PostgreSQL. */
const aimMs = 50;

/**
 * The first page of the order list on the large database, with every filter and sort of the console, alone and
 * combined.
 */
export const search: Kind = {
  rows: [
    { name: names.middle, unit: 'ms' },
    { name: names.slowest, unit: 'ms' },
    { name: names.pairs, unit: 'ms' },
  ],
  measure: async ({ kept, sizes }, _wanted, report) => {
    const { url } = await kept.filled(sizes.large);
    const domain = await openBenchDomain(url);
    try {
      const times = await measureSearches(domain, { most: parts, every, say: (line) => console.log(line) });
      const sorted = times.toSorted((a, b) => b.ms - a.ms);
      const alone = sorted.filter((one) => one.parts < 2);
      const combined = sorted.filter((one) => one.parts >= 2);
      console.log(`Filters alone: ${describe(alone)}. Combined: ${describe(combined)}. The slowest:`);
      for (const line of sorted.slice(0, shown).map(lineOf)) console.log(line);
      report(names.middle, { figure: sorted[Math.floor(sorted.length / 2)]?.ms ?? 0 });
      report(names.slowest, { figure: alone[0]?.ms ?? 0, note: describe(alone) });
      report(names.pairs, { figure: combined[0]?.ms ?? 0, note: describe(combined) });
    } finally {
      await domain.close();
    }
  },
};

function describe(times: readonly SearchTime[]): string {
  const slow = times.filter(({ ms }) => ms > aimMs).length;
  const refused = times.filter(({ problem }) => problem === 'refused').length;
  const ended = times.filter(({ problem }) => problem !== undefined).length - refused;
  return `${slow} of ${times.length} over ${aimMs} ms, ${ended} ended before the page was full, ${refused} refused`;
}

function lineOf({ label, ms, problem }: SearchTime): string {
  return `  ${ms.toFixed(1).padStart(7)} ms  ${label}${problem === undefined ? '' : ` (${problem})`}`;
}
