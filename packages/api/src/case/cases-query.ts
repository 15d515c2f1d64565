import { moneyCaseFilter, pageMoneyCases } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { SortDirection } from '../enums.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { CaseKindEnum, CaseStateEnum, CaseType } from './case-type.ts';

const CaseFilter = builder.inputType('CaseFilter', {
  description: 'Which cases. What is left out does not narrow; all that is given has to fit.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Of these merchants, at most 100.' }),
    states: t.field({ type: [CaseStateEnum], description: 'In one of these states.' }),
    kinds: t.field({ type: [CaseKindEnum], description: 'Of one of these kinds.' }),
    channelIds: t.stringList({ description: 'That one of these channels told of.' }),
    orderNo: t.string({ description: 'About this order.' }),
    openedFrom: t.field({ type: 'DateTime', description: 'Opened at this moment or later.' }),
    openedTo: t.field({ type: 'DateTime', description: 'Opened before this moment.' }),
  }),
});

builder.queryField('moneyCases', (t) =>
  t.connection({
    type: CaseType,
    description: 'Cases of money in suspense, by the time that they were opened.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: CaseFilter,
        description: 'Which cases; left out: all that you may see.',
        validate: { schema: moneyCaseFilter },
      }),
      sort: t.arg({ type: SortDirection, description: 'The newest first unless told otherwise.' }),
    },
    resolve: async (_root, { filter, sort, ...page }, context) => {
      const order = { oldestFirst: sort === 'oldest' };
      const request = pageOf('money_cases', page);
      return connectionOf(await pageMoneyCases(context.domain, scopeOf(context), filter ?? {}, request, order));
    },
  }),
);
