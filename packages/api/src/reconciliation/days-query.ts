import {
  daysFilter,
  listReconciliationDays,
  maxDays,
  pageWaitingDays,
  type ReconciliationDay,
  waitingDayFilter,
} from '@tidegate/domain/lists';
import { DayStateEnum, DayWaitsForEnum } from '../enums/reconciliation-enums.ts';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { countryField, currencyField } from './statement-type.ts';

export const DayType = builder.objectRef<ReconciliationDay>('ReconciliationDay').implement({
  description: 'A day of a channel: what its statements show, what the ledger expects, and what is open.',
  fields: (t) => ({
    country: t.field(countryField),
    currency: t.field(currencyField),
    channelId: t.exposeString('channelId', { description: 'Channel.' }),
    day: t.exposeString('day', { description: 'Day in the time zone of the country.' }),
    state: t.expose('state', { type: DayStateEnum, description: 'Whether it is closed.' }),
    isCovered: t.exposeBoolean('isCovered', { description: 'Whether a statement covers it.' }),
    missingStatement: t.exposeString('missingStatement', {
      nullable: true,
      description:
        'Reason why a statement of the day could not be fetched so far. Null: no statement is missing, or statements are not fetched.',
    }),
    isMatching: t.exposeBoolean('isDue', {
      description: 'True while the day waits for matching or is being matched.',
    }),
    lines: t.exposeInt('lines', { description: 'Number of lines of statements.' }),
    statementNet: t.expose('statementNet', {
      type: 'Decimal',
      description:
        'Sum of the lines, in `currency`. It can differ from `ledgerNet`, because both sides can have a movement on different days: `explanation` of `reconciliationDay` says why.',
    }),
    expectations: t.exposeInt('expectations', { description: 'Number of movements that the ledger expects.' }),
    ledgerNet: t.expose('ledgerNet', {
      type: 'Decimal',
      description: 'Sum of what the ledger expects, in `currency`. See `statementNet`.',
    }),
    tolerated: t.expose('tolerated', {
      type: 'Decimal',
      description: 'Differences within the tolerance that were posted when it was closed, in `currency`.',
    }),
    explainedLines: t.exposeInt('explainedLines', {
      nullable: true,
      description: 'Number of lines that are matched, or whose break has ended. Null while it is being matched.',
    }),
    openBreaks: t.exposeInt('openBreaks', { description: 'Number of open breaks.' }),
    difference: t.expose('difference', {
      type: 'Decimal',
      description:
        'Unexplained difference: the amounts of the open breaks without signs, in `currency`. It is not the difference of both sums.',
    }),
    oldestOpenAt: t.expose('oldestOpenAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the oldest open break was found.',
    }),
    closedBy: t.exposeString('closedBy', { nullable: true, description: 'Id of the operator who asked to close it.' }),
    approver: t.exposeString('approver', { nullable: true, description: 'Id of the operator who agreed.' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true, description: 'Time of closing.' }),
    reopenedBy: t.exposeString('reopenedBy', {
      nullable: true,
      description: 'Id of the operator who last reopened it.',
    }),
    reopenedAt: t.expose('reopenedAt', { type: 'DateTime', nullable: true, description: 'Time of reopening.' }),
  }),
});

const DaysInput = builder.inputType('ReconciliationDaysInput', {
  description: `The days of a grid, at most ${maxDays}, and its channels.`,
  fields: (t) => ({
    from: t.string({ required: true, description: 'First day, such as 2026-11-01.' }),
    to: t.string({ required: true, description: 'Last day, such as 2026-11-30.' }),
    merchantIds: t.stringList({
      description: 'Only days of these platform tenants, such as PLATFORM-PK. Default: all that you may see.',
    }),
    channelIds: t.stringList({ description: 'Only days of these channels. Default: all.' }),
  }),
});

builder.queryField('reconciliationDays', (t) =>
  t.field({
    type: [DayType],
    description: 'Days by channel, for a grid. A day without lines and expectations has no entry.',
    authScopes: { operator: true },
    args: {
      input: t.arg({
        type: DaysInput,
        required: true,
        description: 'Days and channels.',
        validate: { schema: daysFilter },
      }),
    },
    resolve: (_root, { input }, context) => listReconciliationDays(context.domain, scopeOf(context), input),
  }),
);

const WaitingDayFilter = builder.inputType('WaitingDayFilter', {
  description: 'Filter for waiting days. Filters are combined with AND. All but `waitsFor` are optional.',
  fields: (t) => ({
    waitsFor: t.field({ type: DayWaitsForEnum, required: true, description: 'What the days wait for.' }),
    merchantIds: t.stringList({ description: 'Only days of these platform tenants, such as PLATFORM-PK.' }),
    channelIds: t.stringList({ description: 'Only days of these channels.' }),
  }),
});

builder.queryField('waitingDays', (t) =>
  t.connection({
    type: DayType,
    description: 'Open days that wait for operators, the oldest first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: WaitingDayFilter,
        required: true,
        description: 'Which waiting days to list.',
        validate: { schema: waitingDayFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) =>
      connectionOf(await pageWaitingDays(context.domain, scopeOf(context), filter, pageOf('waiting_days', page))),
  }),
);
