import type { Country } from '@tidegate/domain';
import {
  type DayDetail,
  dayText,
  explainDay,
  type OpenBreaks,
  offeredFormats,
  readReconciliationDay,
  type SumPart,
} from '@tidegate/domain/lists';
import { matchingText } from '@tidegate/settings/bounded-text';
import { CountryEnum } from '../enums/enums.ts';
import { BreakKindEnum, BreakStateEnum, SumReasonEnum } from '../enums/reconciliation-enums.ts';
import { builder } from '../graphql/builder.ts';
import { scopeOf } from '../graphql/paging.ts';
import { DayType } from './days-query.ts';

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

const SumPartType = builder.objectRef<SumPart>('SumPart').implement({
  description: 'A part of the difference between the statements of a day and the ledger, with its explanation.',
  fields: (t) => ({
    reason: t.expose('reason', { type: SumReasonEnum, description: 'What explains it.' }),
    breakKind: t.expose('breakKind', {
      type: BreakKindEnum,
      nullable: true,
      description: 'Kind of its breaks. Null: no break is about it.',
    }),
    breakState: t.expose('breakState', {
      type: BreakStateEnum,
      nullable: true,
      description: 'Whether its breaks are open, or how they ended. Null: no break is about it.',
    }),
    breakNos: t.exposeIntList('breakNos', { description: 'Numbers of its breaks, at most 20.' }),
    count: t.exposeInt('count', { description: 'Number of lines of statements, and of movements of the ledger.' }),
    amount: t.expose('amount', {
      type: 'Decimal',
      description: 'Statements minus ledger, in the currency of the country.',
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
    fetchableFormats: t.stringList({
      description: 'Formats in which `fetchStatement` can fetch its statement from the channel. Empty: it offers none.',
      resolve: async ({ day }, _args, { domain }) => [...(await offeredFormats(domain, day.channelId))],
    }),
    explanation: t.field({
      type: [SumPartType],
      description:
        'Why `statementNet` and `ledgerNet` differ, also where no difference is unexplained. The amounts add up to `statementNet` minus `ledgerNet`. Empty if both are the same.',
      resolve: ({ day }, _args, { domain }) => {
        const { merchantId, channelId } = day;
        const country = merchantId.slice('PLATFORM-'.length) as Country;
        return explainDay(domain, { country, channelId, day: day.day }, day);
      },
    }),
    openByKind: t.expose('openByKind', { type: [OpenBreaksType], description: 'Its open breaks, by kind.' }),
  }),
});

const channelText = matchingText(
  32,
  /^[a-z0-9-]{2,32}$/,
  'must be a channel id: 2 to 32 lower-case letters, digits, hyphens',
);

builder.queryField('reconciliationDay', (t) =>
  t.field({
    type: DayDetailType,
    nullable: true,
    description: 'One day of a channel. Null if it is unknown, or if you may not see it.',
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
