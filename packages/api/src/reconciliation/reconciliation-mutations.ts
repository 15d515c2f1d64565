import { listReconciliationDays, loadBreaks } from '@tidegate/domain/lists';
import type { OperationValue } from '@tidegate/domain/operators';
import { addOperation, addOperationForTwo } from '../approval/operation-field.ts';
import type { ApiContext } from '../graphql/context.ts';
import { scopeOf } from '../graphql/paging.ts';
import { BreakType } from './break-type.ts';
import { DayType } from './days-query.ts';
import { ChannelStatementType } from './statement-type.ts';

addOperation('importStatement', (t) => ({
  statement: t.field({
    type: ChannelStatementType,
    description: 'The statement, or the first one with the same content.',
    resolve: ({ value }) => value.file,
  }),
  isRepeat: t.boolean({
    description: 'Whether the same content was imported before. Then nothing has changed.',
    resolve: ({ value }) => value.isRepeat,
  }),
}));

addOperation('confirmStatement', (t) => ({
  statement: t.field({
    type: ChannelStatementType,
    description: 'The statement after the operation.',
    resolve: ({ value }) => value,
  }),
}));

addOperation('fetchStatement', (t) => ({
  formats: t.stringList({
    description: 'Formats of the statements that the worker fetches now.',
    resolve: ({ value }) => [...value.formats],
  }),
}));

addOperationForTwo('resolveBreak', (t) => ({
  break: t.field({
    type: BreakType,
    nullable: true,
    description: 'The break after the operation. Null if another operator must approve first.',
    resolve: async ({ value }, _args, context: ApiContext) => {
      const [found] = value ? await loadBreaks(context.domain, scopeOf(context), [value]) : [];
      return found ?? value;
    },
  }),
}));

const dayOf = async (value: OperationValue<'closeDay'> | null, context: ApiContext) => {
  if (value === null) return null;
  const { country, channelId, day } = value;
  const filter = { from: day, to: day, merchantIds: [`PLATFORM-${country}`], channelIds: [channelId] };
  const [found] = await listReconciliationDays(context.domain, scopeOf(context), filter);
  return found ?? null;
};

addOperationForTwo('closeDay', (t) => ({
  day: t.field({
    type: DayType,
    nullable: true,
    description: 'The day after the operation. Null if another operator must approve first.',
    resolve: ({ value }, _args, context: ApiContext) => dayOf(value, context),
  }),
}));

addOperation('reopenDay', (t) => ({
  day: t.field({
    type: DayType,
    nullable: true,
    description: 'The day after the operation.',
    resolve: ({ value }, _args, context: ApiContext) => dayOf(value, context),
  }),
}));

addOperationForTwo('setReconciliation', (t) => ({
  beginsOn: t.string({
    nullable: true,
    description: 'First day that is reconciled.',
    resolve: ({ value }) => value?.beginsOn ?? null,
  }),
  tolerance: t.field({
    type: 'Decimal',
    nullable: true,
    description: "How far a line and the ledger may differ, in the country's currency.",
    resolve: ({ value }) => value?.tolerance ?? null,
  }),
  account: t.string({
    nullable: true,
    description: 'Account that every statement must name.',
    resolve: ({ value }) => value?.account ?? null,
  }),
  fetches: t.boolean({
    nullable: true,
    description: 'Whether its statements are fetched by schedule.',
    resolve: ({ value }) => value?.fetches ?? null,
  }),
}));
