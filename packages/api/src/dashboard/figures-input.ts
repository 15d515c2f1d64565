import { CountryEnum, OrderKindEnum, OrderStatusEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';

const DimensionEnum = builder.enumType('FigureDimension', {
  description: 'Dimension by which figures are grouped. They are always grouped by currency too.',
  values: {
    TIME: { value: 'time', description: 'Group by hour or day of creation, see `grain`.' },
    COUNTRY: { value: 'country', description: 'Group by country.' },
    CHANNEL: { value: 'channel', description: 'Group by channel.' },
    MERCHANT: { value: 'merchant', description: 'Group by merchant.' },
    STATUS: { value: 'status', description: 'Group by status.' },
    KIND: { value: 'kind', description: 'Group by payin and payout.' },
    BANK: { value: 'bank', description: 'Group by the bank code that merchants send.' },
  } as const,
});

const GrainEnum = builder.enumType('FigureGrain', {
  description: 'Length of the time intervals.',
  values: {
    HOUR: { value: 'hour', description: 'Hours of `timeZone`, at most 31 days.' },
    DAY: { value: 'day', description: 'Days of `timeZone`, at most 400.' },
  } as const,
});

const PeriodEnum = builder.enumType('FigurePeriod', {
  description: 'A day of `timeZone`, by the clock of the service.',
  values: {
    TODAY: { value: 'today', description: 'From midnight until now.' },
    YESTERDAY: { value: 'yesterday', description: 'The whole day before.' },
  } as const,
});

const ComparisonEnum = builder.enumType('FigureComparison', {
  description: 'The period to compare with. Days are days of `timeZone`.',
  values: {
    DAY_BEFORE: { value: 'day_before', description: 'The same times one day earlier.' },
    WEEK_BEFORE: { value: 'week_before', description: 'The same times seven days earlier.' },
    PERIOD_BEFORE: { value: 'period_before', description: 'A period of the same length that ends at `from`.' },
  } as const,
});

export const FiguresInput = builder.inputType('FiguresInput', {
  description:
    'Selects and groups the orders. Filters are optional and combined with AND. Set `period`, or `from` and `to`.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'Created at or after this time.' }),
    to: t.field({ type: 'DateTime', description: 'Created before this time, at most 400 days after `from`.' }),
    period: t.field({ type: PeriodEnum, description: 'Created on this day of `timeZone`.' }),
    grain: t.field({ type: GrainEnum, description: 'Length of the intervals for TIME. Default: DAY.' }),
    timeZone: t.string({
      description: 'Time zone of days and hours, as an IANA name such as Asia/Kolkata. Default: UTC.',
    }),
    by: t.field({ type: [DimensionEnum], description: 'Dimensions to group by. Default: one group per currency.' }),
    withTimes: t.boolean({
      description: 'Also computes `p50Ms` and `p95Ms`, which is slower. With MERCHANT, also set `merchantIds`.',
    }),
    merchantIds: t.stringList({ description: 'Any of these merchants, at most 100.' }),
    kind: t.field({ type: OrderKindEnum, description: 'Payins or payouts.' }),
    countries: t.field({ type: [CountryEnum], description: 'Any of these countries.' }),
    channelIds: t.stringList({ description: 'Routed to any of these channels.' }),
    bankCodes: t.stringList({ description: 'With any of these bank codes.' }),
    statuses: t.field({ type: [OrderStatusEnum], description: 'In any of these statuses.' }),
    compareFrom: t.field({
      type: 'DateTime',
      description: 'Start of a period of the same length for `comparison`.',
    }),
    compareWith: t.field({ type: ComparisonEnum, description: 'Period for `comparison`, instead of `compareFrom`.' }),
  }),
});
