import { z } from 'zod';
import { isTimeZone } from '../../core/zone-time.ts';
import { anyOf, channelId, country, kind, merchantIds, orderStatus, time } from '../../lists/filter-parts.ts';

/** The dimensions by which figures are grouped. They are always grouped by currency too. */
export const dimensions = ['time', 'country', 'channel', 'merchant', 'status', 'kind'] as const;
export type Dimension = (typeof dimensions)[number];

const hour = 3_600_000;
/** With one more hour, because a change of clocks can make days longer. */
const longest = { hour: (7 * 24 + 1) * hour, day: (92 * 24 + 1) * hour };

export const figuresQuery = z
  .strictObject({
    /** Counts orders created from `from` to before `to`, also within an hour or day. */
    ...{ from: time, to: time, grain: z.enum(['hour', 'day']) },
    /** The time zone of the hours and days; default UTC. */
    timeZone: z.string().refine(isTimeZone, 'must be the name of an IANA time zone, e.g. Asia/Kolkata').nullish(),
    by: z.array(z.enum(dimensions)).max(dimensions.length).nullish(),
    ...{
      merchantIds,
      kind: kind.nullish(),
      countries: anyOf(country),
      channelIds: anyOf(channelId),
      statuses: anyOf(orderStatus),
    },
    /** Whether to compute completion times too, which costs more. */
    withTimes: z.boolean().nullish(),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must lie after from' })
  .refine(({ from, to, grain }) => to - from <= longest[grain], {
    path: ['to'],
    error: 'must lie at most 92 days after from by day, and 7 days by hour',
  })
  .refine(({ by, withTimes, merchantIds: named }) => !withTimes || named != null || !by?.includes('merchant'), {
    path: ['withTimes'],
    error: 'needs merchantIds where merchants are told apart',
  });
export type FiguresQuery = z.infer<typeof figuresQuery>;
