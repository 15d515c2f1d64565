import type { Page } from '@tidegate/domain/lists';
import { builder } from './builder.ts';
import type { ApiContext } from './context.ts';

// The size of the whole list, on every connection. It is counted only when selected, once for both fields.
builder.globalConnectionFields((t) => ({
  totalCount: t.int({
    description:
      'Number of entries in the whole list that match the filter, on all pages. Exact up to 10,000, then at least this many. See `totalCountIsExact`.',
    resolve: async (page, _args, context) => (await totalOf(page, context)).count,
  }),
  totalCountIsExact: t.boolean({
    description: 'Whether `totalCount` is exact. If false, the list has at least that many entries.',
    resolve: async (page, _args, context) => (await totalOf(page, context)).isExact,
  }),
}));

function totalOf({ total }: Pick<Page<unknown>, 'total'>, { signal, maxCounted }: ApiContext) {
  signal.throwIfAborted();
  return total(maxCounted);
}
