import { moneyCaseFilter, pageMoneyCases } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { SortDirection } from '../enums.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { CaseKindEnum, CaseStateEnum, CaseType } from './case-type.ts';

const CaseFilter = builder.inputType('CaseFilter', {
  description: 'Filter for cases. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Any of these merchants, at most 100.' }),
    states: t.field({ type: [CaseStateEnum], description: 'In any of these states.' }),
    kinds: t.field({ type: [CaseKindEnum], description: 'Any of these kinds.' }),
    channelIds: t.stringList({ description: 'Reported by any of these channels.' }),
    orderNo: t.string({ description: 'About this service order number.' }),
    openedFrom: t.field({ type: 'DateTime', description: 'Opened at or after this time.' }),
    openedTo: t.field({ type: 'DateTime', description: 'Opened before this time.' }),
  }),
});

builder.queryField('moneyCases', (t) =>
  t.connection({
    type: CaseType,
    description: 'Cases of money in suspense, by time of opening.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: CaseFilter,
        description: 'Filter. Default: all cases that you may see.',
        validate: { schema: moneyCaseFilter },
      }),
      sort: t.arg({ type: SortDirection, description: 'Sort order. Default: NEWEST_FIRST.' }),
    },
    resolve: async (_root, { filter, sort, ...page }, context) => {
      const order = { oldestFirst: sort === 'oldest' };
      const request = pageOf('money_cases', page);
      return connectionOf(await pageMoneyCases(context.domain, scopeOf(context), filter ?? {}, request, order));
    },
  }),
);
