import { openBenchDomain } from '../bench-environment.ts';
import type { Kind } from '../row.ts';
import { measureSearches, type SearchTime } from '../search-times.ts';

/** How many parts of the filter are combined. All triples take about half an hour. */
const parts = Number(process.env.BENCH_SEARCH_PARTS ?? 2);
const names = {
  slowest: 'order search, first page, slowest of all combinations of filters',
  middle: 'order search, first page, median of all combinations of filters',
};
const shown = 15;

/** First pages of the list of orders, with every combination of filters and sort that the console offers, over the large database. */
export const search: Kind = {
  rows: [
    { name: names.middle, unit: 'ms' },
    { name: names.slowest, unit: 'ms' },
  ],
  measure: async ({ kept, sizes }, _wanted, found) => {
    const { url } = await kept.filled(sizes.large);
    const domain = await openBenchDomain(url);
    try {
      const times = await measureSearches(domain, parts, (line) => console.log(line));
      const sorted = times.toSorted((a, b) => b.ms - a.ms);
      const refused = sorted.filter(({ problem }) => problem !== undefined);
      console.log(`${sorted.length} combinations; ${refused.length} refused or short. The slowest:`);
      for (const line of [...sorted.slice(0, shown), ...refused].map(lineOf)) console.log(line);
      found(names.middle, { figure: sorted[Math.floor(sorted.length / 2)]?.ms ?? 0 });
      found(names.slowest, { figure: sorted[0]?.ms ?? 0 });
    } finally {
      await domain.close();
    }
  },
};

function lineOf({ label, ms, problem }: SearchTime): string {
  return `  ${ms.toFixed(1).padStart(7)} ms  ${label}${problem === undefined ? '' : ` (${problem})`}`;
}
