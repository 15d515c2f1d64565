import {
  type FailureFigure,
  type Figures,
  type FiguresQuery,
  figuresRequest,
  queriesOf,
  readFailures,
  readFigures,
} from '@tidegate/domain/lists';
import { hasRole } from '@tidegate/domain/operators';
import * as z from 'zod';
import { CountryEnum, CurrencyEnum, OrderKindEnum, OrderStatusEnum } from '../enums/enums.ts';
import { refusal } from '../errors/errors.ts';
import { builder } from '../graphql/builder.ts';
import { type ApiContext, operatorOf } from '../graphql/context.ts';
import { scopeOf } from '../graphql/paging.ts';
import { personal } from '../graphql/personal.ts';
import { FiguresInput } from './figures-input.ts';

type Group = Figures['groups'][number];

const FigureGroupType = builder.objectRef<Group>('FigureGroup').implement({
  description: 'Figures of one group of orders. Amounts are in its `currency`.',
  fields: (t) => ({
    startsAt: t.expose('startsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Start of the hour or day. Null unless grouped by TIME.',
    }),
    country: t.expose('country', {
      type: CountryEnum,
      nullable: true,
      description: 'Country. Null unless grouped by COUNTRY.',
    }),
    channelId: t.exposeString('channelId', {
      nullable: true,
      description: 'Channel id. Null unless grouped by CHANNEL.',
    }),
    merchantId: t.exposeString('merchantId', {
      nullable: true,
      description: 'Merchant number. Null unless grouped by MERCHANT.',
    }),
    kind: t.expose('kind', {
      type: OrderKindEnum,
      nullable: true,
      description: 'Payins or payouts. Null unless grouped by KIND.',
    }),
    status: t.expose('status', {
      type: OrderStatusEnum,
      nullable: true,
      description: 'Status. Null unless grouped by STATUS.',
    }),
    bankCode: t.exposeString('bankCode', {
      nullable: true,
      description: 'Bank code that the merchant sent. Null if it sent none, or unless grouped by BANK.',
    }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'Currency of the amounts.' }),
    orders: t.exposeInt('orders', { description: 'Number of orders.' }),
    ended: t.exposeInt('ended', { description: 'Number of orders in a final status.' }),
    completed: t.exposeInt('completed', { description: 'Number of completed orders.' }),
    successRate: t.exposeFloat('successRate', {
      nullable: true,
      description: 'Completed orders divided by ended orders, 0 to 1. Null if none has ended.',
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Sum of all amounts, in `currency`.' }),
    completedAmount: t.expose('completedAmount', {
      type: 'Decimal',
      description: 'Sum of completed orders, in `currency`.',
    }),
    feeRevenue: t.expose('feeRevenue', {
      type: 'Decimal',
      description: 'Fees of completed orders, in `currency`.',
    }),
    p50Ms: t.exposeFloat('p50Ms', {
      nullable: true,
      description: 'Median time to completion in milliseconds, accurate to 5 %. Null unless `withTimes`.',
    }),
    p95Ms: t.exposeFloat('p95Ms', {
      nullable: true,
      description:
        '95th percentile of the time to completion in milliseconds, accurate to 5 %. Null unless `withTimes`.',
    }),
  }),
});

const FailureFigureType = builder.objectRef<FailureFigure>('FailureFigure').implement({
  description: 'Number of orders that ended unpaid for one reason.',
  fields: (t) => ({
    status: t.expose('status', { type: OrderStatusEnum, description: 'Status that they ended in.' }),
    trigger: t.exposeString('trigger', {
      description:
        'What ended them: channel_refused, channel_failed, channel_unanswered, unpaid or operator_cancelled.',
    }),
    message: t.exposeString('message', {
      nullable: true,
      description:
        'Message of the channel. Words with numbers are replaced by "…". Null if there is none, and for viewers.',
    }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'Currency of the amount.' }),
    orders: t.exposeInt('orders', { description: 'Number of orders.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Sum of their amounts, in `currency`.' }),
  }),
});

/** The figures of one period, with its bounds. */
interface Period extends Figures {
  query: FiguresQuery;
}

const failures = {
  type: [FailureFigureType] as [typeof FailureFigureType],
  args: builder.args((t) => ({
    first: t.int({
      defaultValue: 20,
      description: 'Number of reasons, 1 to 100.',
      validate: { schema: z.int().min(1).max(100) },
    }),
  })),
  description: 'Reasons why orders failed, timed out or were cancelled, most frequent first.',
  resolve: ({ query }: Period, { first }: { first?: number | null | undefined }, context: ApiContext) =>
    failuresOf(query, first ?? 20, context),
};

const groups = {
  type: [FigureGroupType] as [typeof FigureGroupType],
  args: builder.args((t) => ({
    first: t.int({
      description: 'Number of groups, 1 to 2,000. Default: all.',
      validate: { schema: z.int().min(1).max(2_000) },
    }),
  })),
  description: 'Groups, sorted by time and then by size.',
  resolve: ({ groups: all }: Period, { first }: { first?: number | null | undefined }) =>
    all.slice(0, first ?? all.length),
};

const ComparedFiguresType = builder.objectRef<Period>('ComparedFigures').implement({
  description: 'Figures of the period to compare with, by the same filters and dimensions.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'Start of the period.' }),
    to: t.expose('to', { type: 'DateTime', description: 'End of the period.' }),
    groups: t.field(groups),
    isTruncated: t.exposeBoolean('isTruncated', {
      description: 'Whether groups are missing because there are too many.',
    }),
    failures: t.field(failures),
  }),
});

const FiguresType = builder.objectRef<Period & { compared: FiguresQuery | null }>('Figures').implement({
  description: 'Current counts, sums and completion times of orders.',
  fields: (t) => ({
    from: t.expose('from', {
      type: 'DateTime',
      description: 'Start of the requested time range.',
    }),
    to: t.expose('to', { type: 'DateTime', description: 'End of the requested time range.' }),
    groups: t.field(groups),
    isTruncated: t.exposeBoolean('isTruncated', {
      description:
        'Whether groups are missing because there are too many. Request a smaller range or fewer dimensions.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description:
        'False while figures by bank are still being computed after an upgrade. Then older orders are missing.',
    }),
    failures: t.field(failures),
    comparison: t.field({
      type: ComparedFiguresType,
      nullable: true,
      description: 'The period to compare with. Null unless `compareWith` or `compareFrom` is set.',
      resolve: ({ compared }, _args, context) => compared && periodOf(compared, context),
    }),
  }),
});

async function periodOf(query: FiguresQuery, context: ApiContext): Promise<Period> {
  return { ...(await readFigures(context.domain, scopeOf(context), query)), query };
}

/** A channel's message can name a person, so viewers see the triggers only. */
function failuresOf(query: FiguresQuery, limit: number, context: ApiContext): Promise<FailureFigure[]> {
  if (query.bankCodes) throw refusal('BAD_USER_INPUT', 'failures cannot be filtered by bankCodes');
  const operator = operatorOf(context);
  const withMessages = hasRole(operator, personal.roles);
  return readFailures(context.domain, scopeOf(context), query, { withMessages, limit });
}

builder.queryField('figures', (t) =>
  t.field({
    type: FiguresType,
    description: 'Figures for a dashboard: counts, sums, success rate, fee revenue and time to completion.',
    authScopes: { operator: true },
    args: {
      input: t.arg({
        type: FiguresInput,
        required: true,
        description: 'Selects and groups the orders.',
        validate: { schema: figuresRequest },
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { requested, compared } = queriesOf(input, Date.now());
      return { ...(await periodOf(requested, context)), compared };
    },
  }),
);
