import {
  type BreaksOfAge,
  breakAgesFilter,
  breakFilter,
  countBreaksByAge,
  loadBreaks,
  pageBreaks,
} from '@tidegate/domain/lists';
import * as z from 'zod';
import { CountryEnum, SortDirection } from '../enums/enums.ts';
import { BreakAgeEnum, BreakKindEnum, BreakStateEnum } from '../enums/reconciliation-enums.ts';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { assignedParts, assignmentSchema, toDomainFilter } from '../graphql/work-filter.ts';
import { BreakType } from './break-type.ts';
import { countryField, currencyField } from './statement-type.ts';

const BreakFilter = builder.inputType('BreakFilter', {
  description: 'Filter for breaks. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Of these platform tenants, such as PLATFORM-PK.' }),
    states: t.field({ type: [BreakStateEnum], description: 'In any of these states.' }),
    kinds: t.field({ type: [BreakKindEnum], description: 'Of any of these kinds.' }),
    channelIds: t.stringList({ description: 'Of any of these channels.' }),
    dayFrom: t.string({ description: 'Expected on this day or later, such as 2026-11-01.' }),
    dayTo: t.string({ description: 'Expected on this day or before, such as 2026-11-30.' }),
    ages: t.field({ type: [BreakAgeEnum], description: 'Expected this long ago.' }),
    orderNo: t.string({ description: 'About this service order number.' }),
    fileNo: t.int({ description: 'On the statement of this number.' }),
    amount: t.string({ description: 'Over this amount with its sign, such as -5.00.' }),
    assigned: t.field(assignedParts.assigned),
    assignee: t.string(assignedParts.assignee),
  }),
});

const filterSchema = assignmentSchema(breakFilter);

builder.queryField('breaks', (t) =>
  t.connection({
    type: BreakType,
    description: 'Differences between statements and the ledger, by the time at which they were found.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: BreakFilter,
        description: 'Filter. Default: all breaks that you may see.',
        validate: { schema: filterSchema },
      }),
      sort: t.arg({ type: SortDirection, description: 'Sort order. Default: NEWEST_FIRST.' }),
    },
    resolve: async (_root, { filter, sort, ...page }, context) => {
      const wanted = toDomainFilter(filter ?? {}, context);
      const order = { isReversed: sort === 'oldest' };
      return connectionOf(await pageBreaks(context.domain, scopeOf(context), wanted, pageOf('breaks', page), order));
    },
  }),
);

const BreaksOfAgeType = builder.objectRef<BreaksOfAge>('BreaksOfAge').implement({
  description: 'The open breaks of one country and age.',
  fields: (t) => ({
    country: t.field(countryField),
    currency: t.field(currencyField),
    age: t.expose('age', { type: BreakAgeEnum, description: 'How long ago they were expected.' }),
    breaks: t.exposeInt('breaks', { description: 'Number of open breaks.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Their amounts without signs, in `currency`.' }),
  }),
});

builder.queryField('breakAges', (t) =>
  t.field({
    type: [BreaksOfAgeType],
    description: 'Open breaks by country and age. An age without breaks has no entry.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: builder.inputType('BreakAgesFilter', {
          description: 'Filter for the ages of breaks. Filters are optional and combined with AND.',
          fields: (f) => ({
            merchantIds: f.stringList({ description: 'Of these platform tenants, such as PLATFORM-PK.' }),
            channelIds: f.stringList({ description: 'Of any of these channels.' }),
          }),
        }),
        description: 'Filter. Default: all breaks that you may see.',
        validate: { schema: breakAgesFilter },
      }),
    },
    resolve: (_root, { filter }, context) => countBreaksByAge(context.domain, scopeOf(context), filter ?? {}),
  }),
);

builder.queryField('reconciliationBreak', (t) =>
  t.field({
    type: BreakType,
    nullable: true,
    description: 'One break, by its country and number. Null if it does not exist or you may not see it.',
    authScopes: { operator: true },
    args: {
      country: t.arg({ type: CountryEnum, required: true, description: 'Country of the break.' }),
      breakNo: t.arg.int({
        required: true,
        description: 'Number of the break.',
        validate: { schema: z.number().int().min(1, 'must be the number of a break, from 1') },
      }),
    },
    resolve: async (_root, { country, breakNo }, context) => {
      const [found] = await loadBreaks(context.domain, scopeOf(context), [
        { merchantId: `PLATFORM-${country}`, breakNo },
      ]);
      return found ?? null;
    },
  }),
);
