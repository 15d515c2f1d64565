import {
  type LineMatch,
  type LineOfStatement,
  loadStatements,
  pageLinesOfStatement,
  statementLineFilter,
} from '@tidegate/domain/lists';
import * as z from 'zod';
import { CountryEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { StatementLineType } from './break-type.ts';
import { ChannelStatementType } from './statement-type.ts';

const MatchType = builder.objectRef<LineMatch>('StatementMatch').implement({
  description: 'The movements of the ledger that a line shows.',
  fields: (t) => ({
    matchNo: t.exposeInt('matchNo', { description: 'Number of the match. Lines of one batch have the same.' }),
    rule: t.exposeString('rule', { description: 'How it was matched, such as channel_reference.' }),
    difference: t.expose('difference', {
      type: 'Decimal',
      description: 'Statement minus ledger within the tolerance, in the currency of the country.',
    }),
    movements: t.exposeInt('movements', { description: 'Number of movements, at most 1,000.' }),
    orderNo: t.exposeString('orderNo', { nullable: true, description: 'Order number of the first movement.' }),
  }),
});

const ExplainedLineType = builder.objectRef<LineOfStatement>('ExplainedLine').implement({
  description: 'A line of a statement, with what explains it.',
  fields: (t) => ({
    line: t.field({ type: StatementLineType, description: 'The line.', resolve: (line) => line }),
    match: t.expose('match', {
      type: MatchType,
      nullable: true,
      description: 'Null: not in the ledger yet.',
    }),
    breakNo: t.exposeInt('breakNo', {
      nullable: true,
      description: 'Number of its newest break. Null: it never had one.',
    }),
  }),
});

const StatementLineFilter = builder.inputType('StatementLineFilter', {
  description: 'Filter for lines of one statement. Filters are combined with AND. None is optional.',
  fields: (t) => ({
    country: t.field({ type: CountryEnum, required: true, description: 'Country of the statement.' }),
    fileNo: t.int({ required: true, description: 'Number of the statement.' }),
  }),
});

builder.queryField('statementLines', (t) =>
  t.connection({
    type: ExplainedLineType,
    description: 'Lines of one statement in the order of its rows. None before its import, or if it was refused.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: StatementLineFilter,
        required: true,
        description: 'The statement.',
        validate: { schema: statementLineFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) =>
      connectionOf(
        await pageLinesOfStatement(context.domain, scopeOf(context), filter, pageOf('statement_lines', page)),
      ),
  }),
);

builder.queryField('statement', (t) =>
  t.field({
    type: ChannelStatementType,
    nullable: true,
    description: 'One statement, by its country and number. Null if it does not exist or you may not see it.',
    authScopes: { operator: true },
    args: {
      country: t.arg({ type: CountryEnum, required: true, description: 'Country of the statement.' }),
      fileNo: t.arg.int({
        required: true,
        description: 'Number of the statement.',
        validate: { schema: z.number().int().min(1, 'must be the number of a statement, from 1') },
      }),
    },
    resolve: async (_root, { country, fileNo }, context) => {
      const [found] = await loadStatements(context.domain, scopeOf(context), [
        { merchantId: `PLATFORM-${country}`, fileNo },
      ]);
      return found ?? null;
    },
  }),
);
