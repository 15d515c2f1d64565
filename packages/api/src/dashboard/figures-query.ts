import { type Figures, figuresQuery, readFigures } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { CountryEnum, CurrencyEnum, OrderKindEnum, OrderStatusEnum } from '../enums.ts';
import { scopeOf } from '../paging.ts';

type Group = Figures['groups'][number];

const DimensionEnum = builder.enumType('FigureDimension', {
  description: 'By what figures are told apart. Currencies always are.',
  values: {
    TIME: { value: 'time', description: 'By hour or day of creation.' },
    COUNTRY: { value: 'country', description: 'By country.' },
    CHANNEL: { value: 'channel', description: 'By channel.' },
    MERCHANT: { value: 'merchant', description: 'By merchant.' },
    STATUS: { value: 'status', description: 'By status.' },
    KIND: { value: 'kind', description: 'By payin and payout.' },
  } as const,
});

const GrainEnum = builder.enumType('FigureGrain', {
  description: 'How finely time is cut.',
  values: {
    HOUR: { value: 'hour', description: 'By hours of `timeZone`; at most 7 days.' },
    DAY: { value: 'day', description: 'By days of `timeZone`; at most 92.' },
  } as const,
});

const FiguresInput = builder.inputType('FiguresInput', {
  description: 'Which orders are counted, and how they are told apart.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', required: true, description: 'Created at this moment or later.' }),
    to: t.field({ type: 'DateTime', required: true, description: 'Created before this moment.' }),
    grain: t.field({ type: GrainEnum, required: true, description: 'What TIME tells apart: hours or days.' }),
    timeZone: t.string({
      description: 'Whose hours and days TIME means: an IANA name, e.g. Asia/Kolkata. Left out: UTC.',
    }),
    by: t.field({ type: [DimensionEnum], description: 'One group for each of these; left out: one per currency.' }),
    withTimes: t.boolean({
      description: 'With p50Ms and p95Ms, which cost more; by MERCHANT only for named merchants.',
    }),
    merchantIds: t.stringList({ description: 'Of these merchants, at most 100.' }),
    kind: t.field({ type: OrderKindEnum, description: 'Payins or payouts.' }),
    countries: t.field({ type: [CountryEnum], description: 'Of one of these countries.' }),
    channelIds: t.stringList({ description: 'Carried by one of these channels.' }),
    statuses: t.field({ type: [OrderStatusEnum], description: 'With one of these statuses.' }),
  }),
});

const FigureGroupType = builder.objectRef<Group>('FigureGroup').implement({
  description: 'What is said of one group of orders. Amounts are in its `currency`.',
  fields: (t) => ({
    startsAt: t.expose('startsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its hour or day begins; null unless told apart by TIME.',
    }),
    country: t.expose('country', { type: CountryEnum, nullable: true, description: 'Its country, by COUNTRY.' }),
    channelId: t.exposeString('channelId', { nullable: true, description: 'Its channel, by CHANNEL.' }),
    merchantId: t.exposeString('merchantId', { nullable: true, description: 'Its merchant, by MERCHANT.' }),
    kind: t.expose('kind', { type: OrderKindEnum, nullable: true, description: 'Payins or payouts, by KIND.' }),
    status: t.expose('status', { type: OrderStatusEnum, nullable: true, description: 'Its status, by STATUS.' }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'The currency of its amounts.' }),
    orders: t.exposeInt('orders', { description: 'How many there are.' }),
    ended: t.exposeInt('ended', { description: 'How many have ended, whichever way.' }),
    completed: t.exposeInt('completed', { description: 'How many were completed.' }),
    successRate: t.exposeFloat('successRate', {
      nullable: true,
      description: 'Completed of ended, 0 to 1; null where none has ended.',
    }),
    amount: t.expose('amount', { type: 'Decimal', description: 'The sum of all amounts, in `currency`.' }),
    completedAmount: t.expose('completedAmount', {
      type: 'Decimal',
      description: 'The sum of the completed ones, in `currency`.',
    }),
    feeRevenue: t.expose('feeRevenue', {
      type: 'Decimal',
      description: 'The fees of the completed ones, in `currency`.',
    }),
    p50Ms: t.exposeFloat('p50Ms', {
      nullable: true,
      description:
        'Half of the completed ones were completed within so many milliseconds, give or take 5 %; null unless `withTimes`.',
    }),
    p95Ms: t.exposeFloat('p95Ms', {
      nullable: true,
      description:
        '95 of 100 of the completed ones were completed within so many milliseconds, give or take 5 %; null unless `withTimes`.',
    }),
  }),
});

const FiguresType = builder.objectRef<Figures>('Figures').implement({
  description: 'Counts, sums and times of orders, as they are at this moment.',
  fields: (t) => ({
    from: t.expose('from', {
      type: 'DateTime',
      description: 'The moment from which orders are counted, as asked for.',
    }),
    to: t.expose('to', { type: 'DateTime', description: 'The moment before which they are, as asked for.' }),
    groups: t.expose('groups', { type: [FigureGroupType], description: 'By time, and within one by size.' }),
    isCut: t.exposeBoolean('isCut', { description: 'There are more groups than these: ask for less at once.' }),
  }),
});

builder.queryField('figures', (t) =>
  t.field({
    type: FiguresType,
    description: 'Figures for a dashboard: counts, sums, success rate, fee revenue, time to completion.',
    authScopes: { operator: true },
    args: {
      input: t.arg({
        type: FiguresInput,
        required: true,
        description: 'Which orders, and how they are told apart.',
        validate: { schema: figuresQuery },
      }),
    },
    resolve: (_root, { input }, context) => readFigures(context.domain, scopeOf(context), input),
  }),
);
