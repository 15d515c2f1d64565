import { measurePages, pageWays } from '../graphql-pages.ts';
import type { Kind } from '../row.ts';

const below = { unit: 'ms', aim: { atMost: 3 } } as const;

/** A page of 50 orders through GraphQL, compared with the plain joined query through the same driver. */
export const pages: Kind = {
  rows: [
    { name: pageWays.plainNewest, unit: 'ms' },
    { name: pageWays.plainMiddle, unit: 'ms' },
    { name: pageWays.newest, ...below, peers: [pageWays.plainNewest] },
    { name: pageWays.middle, ...below, peers: [pageWays.plainMiddle] },
  ],
  measure: async ({ environment, timing, kept, sizes }, _wanted, report) => {
    const filled = await kept.filled(sizes.large);
    for (const { name, medianMs } of await measurePages(environment, filled, timing))
      report(name, { figure: medianMs });
  },
};
