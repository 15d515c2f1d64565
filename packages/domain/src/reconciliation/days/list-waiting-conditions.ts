import { platformMerchantOf } from '../../core/country.ts';
import { countries, timeZoneOf } from '../../countries/index.ts';
import type { Add } from '../../lists/values.ts';
import { isAwaited } from '../fetching/queries.ts';
import { isGapOver } from './queries.ts';

/** What an open day can wait for: two operators who close it, or a statement. */
export const dayWaits = ['closing', 'statement'] as const;
export type DayWaitsFor = (typeof dayWaits)[number];

/** The condition of the index of open days. */
export const openDay = `t.state = 'open'`;

/** The time at which the day `t` ended in its country. */
export const endOfDay = (add: Add): string => `(t.day + 1)::timestamp at time zone ${zoneOf(add)}`;

/** Conditions for open days `t` that are over and wait for this. What is still fetched by itself needs no operator. */
export function waitingDayConditions(waitsFor: DayWaitsFor, add: Add): string[] {
  const zone = zoneOf(add);
  return [
    `${endOfDay(add)} < clock_timestamp() - interval '10 minutes'`,
    `exists (select from reconciled_channel c where ${ofChannel('c')} and c.begins_on <= t.day)`,
    ...(waitsFor === 'closing'
      ? [
          't.is_covered and not t.is_part and not t.is_due',
          `not exists (select from reconciliation_break b where ${isGapOver('t')})`,
          `not exists (select from reconciliation_break b where ${ofDay('b')} and b.state in ('open', 'posting'))`,
          `not ${hasFetch(isAwaited(zone))}`,
          `not exists (select from statement_file s where ${ofChannel('s')} and s.state = 'received')`,
        ]
      : [
          `(not t.is_covered or t.is_part or ${hasFetch(`f.state = 'given_up' and ${isAwaited(zone)}`)})`,
          `not ${hasFetch(`f.state in ('due', 'received') and (c.fetches or f.asked_by is not null)`)}`,
        ]),
  ];
}

/** A case is cheaper for each row than a lookup. */
function zoneOf(add: Add): string {
  const cases = countries.map(
    (country) => `when ${add(platformMerchantOf(country))}::text then ${add(timeZoneOf[country])}::text`,
  );
  return `(case t.merchant_id ${cases.join(' ')} end)`;
}

const ofChannel = (row: string): string => `${row}.merchant_id = t.merchant_id and ${row}.channel_id = t.channel_id`;
const ofDay = (row: string): string => `${ofChannel(row)} and ${row}.day = t.day`;

/** Whether the day has a fetch `f`, of the reconciled channel `c`, that meets the condition. */
function hasFetch(condition: string): string {
  return `exists (select from statement_fetch f join reconciled_channel c using (merchant_id, channel_id)
    where ${ofDay('f')} and ${condition})`;
}
