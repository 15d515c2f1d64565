import {
  type DayDetail,
  dayText,
  type OpenBreaks,
  offeredFormats,
  readReconciliationDay,
} from '@tidegate/domain/lists';
import * as z from 'zod';
import { builder } from '../builder.ts';
import { CountryEnum } from '../enums.ts';
import { scopeOf } from '../paging.ts';
import { DayType } from './days-query.ts';
import { BreakKindEnum } from './reconciliation-enums.ts';

const OpenBreaksType = builder.objectRef<OpenBreaks>('OpenBreaks').implement({
  description: 'Open breaks of one kind.',
  fields: (t) => ({
    kind: t.expose('kind', { type: BreakKindEnum, description: 'Their kind.' }),
    breaks: t.exposeInt('breaks', { description: 'Number of breaks.' }),
    difference: t.expose('difference', {
      type: 'Decimal',
      description: 'Sum of their amounts without signs, in the currency of the country.',
    }),
  }),
});

const DayDetailType = builder.objectRef<DayDetail>('ReconciliationDayDetail').implement({
  description: 'A day of a channel, with what is left to do.',
  fields: (t) => ({
    day: t.expose('day', { type: DayType, description: 'The day.' }),
    closingProblems: t.exposeStringList('closingProblems', {
      description: 'Reasons why the day cannot be closed yet. Empty if it can be closed, or is closed.',
    }),
    missing: t.exposeStringList('closingProblems', {
      description: 'Reasons why the day cannot be closed yet.',
      deprecationReason: 'Use closingProblems.',
    }),
    fetchableFormats: t.stringList({
      description: 'Formats in which `fetchStatement` can fetch its statement from the channel. Empty: it offers none.',
      resolve: async ({ day }, _args, { domain }) => [...(await offeredFormats(domain, day.channelId))],
    }),
    openByKind: t.expose('openByKind', { type: [OpenBreaksType], description: 'Its open breaks, by kind.' }),
  }),
});

const channelText = z
  .string()
  .regex(/^[a-z0-9-]{2,32}$/, 'must be a channel id: 2 to 32 lower-case letters, digits, hyphens');

builder.queryField('reconciliationDay', (t) =>
  t.field({
    type: DayDetailType,
    nullable: true,
    description: 'One day of a channel. Null if nothing is known of it, or if you may not see it.',
    authScopes: { operator: true },
    args: {
      country: t.arg({ type: CountryEnum, required: true, description: 'Country of the day.' }),
      channelId: t.arg.string({ required: true, description: 'Channel.', validate: { schema: channelText } }),
      day: t.arg.string({
        required: true,
        description: 'Day in the time zone of the country, such as 2026-11-21.',
        validate: { schema: dayText },
      }),
    },
    resolve: (_root, ref, context) => readReconciliationDay(context.domain, scopeOf(context), ref),
  }),
);
