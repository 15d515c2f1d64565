import { moneyCaseFilter, pageMoneyCases } from '@tidegate/domain/lists';
import { SortDirection } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { assignedParts, assignmentSchema, toDomainFilter, WorkSortEnum } from '../graphql/work-filter.ts';
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
    assigned: t.field(assignedParts.assigned),
    assignee: t.string(assignedParts.assignee),
  }),
});

const caseFilter = assignmentSchema(moneyCaseFilter);

builder.queryField('moneyCases', (t) =>
  t.connection({
    type: CaseType,
    description: 'Cases of money in suspense, by time of opening or by amount.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: CaseFilter,
        description: 'Filter. Default: all cases that you may see.',
        validate: { schema: caseFilter },
      }),
      sort: t.arg({ type: SortDirection, description: 'Sort order by time of opening. Default: NEWEST_FIRST.' }),
      sortBy: t.arg({ type: WorkSortEnum, description: 'Sort order by age or amount. Replaces `sort`.' }),
    },
    resolve: async (_root, { filter, sort, sortBy, ...page }, context) => {
      const wanted = toDomainFilter(filter ?? {}, context);
      const by = sortBy ?? sort ?? 'newest';
      const isByAmount = by === 'largest' || by === 'smallest';
      const request = isByAmount ? pageOf('money_cases_by_amount', page) : pageOf('money_cases', page);
      const order = { isReversed: by === 'oldest' || by === 'smallest' };
      return connectionOf(await pageMoneyCases(context.domain, scopeOf(context), wanted, request, order));
    },
  }),
);
