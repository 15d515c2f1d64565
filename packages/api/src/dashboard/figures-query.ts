import { type Figures, figuresQuery, readFigures } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { CountryEnum, CurrencyEnum, OrderKindEnum, OrderStatusEnum } from '../enums.ts';
import { scopeOf } from '../paging.ts';

type Group = Figures['groups'][number];

const DimensionEnum = builder.enumType('FigureDimension', {
  description: 'Dimension by which figures are grouped. They are always grouped by currency too.',
  values: {
    TIME: { value: 'time', description: 'Group by hour or day of creation, see `grain`.' },
    COUNTRY: { value: 'country', description: 'Group by country.' },
    CHANNEL: { value: 'channel', description: 'Group by channel.' },
    MERCHANT: { value: 'merchant', description: 'Group by merchant.' },
    STATUS: { value: 'status', description: 'Group by status.' },
    KIND: { value: 'kind', description: 'Group by payin and payout.' },
  } as const,
});

const GrainEnum = builder.enumType('FigureGrain', {
  description: 'Length of the time intervals.',
  values: {
    HOUR: { value: 'hour', description: 'Hours of `timeZone`, at most 7 days.' },
    DAY: { value: 'day', description: 'Days of `timeZone`, at most 92.' },
  } as const,
});

const FiguresInput = builder.inputType('FiguresInput', {
  description: 'Selects and groups the orders. Filters are optional and combined with AND.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', required: true, description: 'Created at or after this time.' }),
    to: t.field({ type: 'DateTime', required: true, description: 'Created before this time.' }),
    grain: t.field({
      type: GrainEnum,
      required: true,
      description: 'Length of the intervals for TIME: hours or days.',
    }),
    timeZone: t.string({
      description: 'Time zone of the intervals for TIME, as an IANA name such as Asia/Kolkata. Default: UTC.',
    }),
    by: t.field({ type: [DimensionEnum], description: 'Dimensions to group by. Default: one group per currency.' }),
    withTimes: t.boolean({
      description: 'Also computes `p50Ms` and `p95Ms`, which is slower. With MERCHANT, also set `merchantIds`.',
    }),
    merchantIds: t.stringList({ description: 'Any of these merchants, at most 100.' }),
    kind: t.field({ type: OrderKindEnum, description: 'Payins or payouts.' }),
    countries: t.field({ type: [CountryEnum], description: 'Any of these countries.' }),
    channelIds: t.stringList({ description: 'Routed to any of these channels.' }),
    statuses: t.field({ type: [OrderStatusEnum], description: 'In any of these statuses.' }),
  }),
});

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

const FiguresType = builder.objectRef<Figures>('Figures').implement({
  description: 'Current counts, sums and completion times of orders.',
  fields: (t) => ({
    from: t.expose('from', {
      type: 'DateTime',
      description: 'Start of the requested time range.',
    }),
    to: t.expose('to', { type: 'DateTime', description: 'End of the requested time range.' }),
    groups: t.expose('groups', { type: [FigureGroupType], description: 'Groups, sorted by time and then by size.' }),
    isTruncated: t.exposeBoolean('isTruncated', {
      description:
        'Whether groups are missing because there are too many. Request a smaller range or fewer dimensions.',
    }),
    isCut: t.exposeBoolean('isTruncated', {
      description: 'Whether groups are missing because there are too many.',
      deprecationReason: 'Use isTruncated.',
    }),
  }),
});

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
        validate: { schema: figuresQuery },
      }),
    },
    resolve: (_root, { input }, context) => readFigures(context.domain, scopeOf(context), input),
  }),
);
