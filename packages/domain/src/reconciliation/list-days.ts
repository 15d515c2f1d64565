import { z } from 'zod';
import { millis } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { given, isOneOf } from '../lists/conditions.ts';
import { anyOf, channelId, merchantIds } from '../lists/filter-parts.ts';
import { amongMerchants, type Scope } from '../lists/scope.ts';
import { collectValues, whereAll } from '../lists/values.ts';
import { daysBetween } from './files/decide-totals.ts';
import { dayText } from './list-breaks.ts';
import type { ReconciliationDay } from './types.ts';

/** The most days that one grid has. */
export const maxDays = 62;
/** The most rows that one grid has: a row for each channel and day. */
const maxRows = 5_000;

/** `merchantIds`: platform tenants. Both days are inclusive. */
export const daysFilter = z
  .strictObject({ from: dayText, to: dayText, merchantIds, channelIds: anyOf(channelId) })
  .refine(
    ({ from, to }) => from <= to && daysBetween(from, to) < maxDays,
    `to must be at most ${maxDays - 1} days after from`,
  );
export type DaysFilter = z.infer<typeof daysFilter>;

/** The columns of a day `t`, with `dayJoins`. */
export const dayColumns = `t.merchant_id as "merchantId", t.channel_id as "channelId", t.day::text as day, t.state, t.is_covered as "isCovered", t.is_due as "isDue", f.missing as "missingStatement", t.lines,
  t.statement_net::text as "statementNet", t.expectations, t.ledger_net::text as "ledgerNet", t.tolerated::text as tolerated,
  coalesce(b.breaks, 0) as "openBreaks", case when t.is_due then null else t.lines - coalesce(b.lines, 0) end as "explainedLines", coalesce(b.difference, 0.00)::text as difference, b.oldest as "oldestOpenAt",
  t.closed_by as "closedBy", t.approver, ${millis('t.closed_at')} as "closedAt", t.reopened_by as "reopenedBy", ${millis('t.reopened_at')} as "reopenedAt"`;
export const dayJoins = `left join lateral (select count(*)::integer as breaks, count(b.part)::integer as lines, sum(abs(b.amount)) as difference, ${millis('min(b.opened_at)')} as oldest from reconciliation_break b
    where b.merchant_id = t.merchant_id and b.channel_id = t.channel_id and b.day = t.day and b.state in ('open', 'posting')) b on true
  left join lateral (select string_agg(m.format || ': ' || m.detail, '; ' order by m.format) as missing from statement_fetch m
    where m.merchant_id = t.merchant_id and m.channel_id = t.channel_id and m.day = t.day and m.state in ('due', 'given_up')) f on true`;

/** The days of the channels, by platform tenant, channel and day. A day on which nothing is expected, and that no statement covers, has no row. */
export async function listReconciliationDays(
  { database }: { database: Database },
  scope: Scope,
  filter: DaysFilter,
): Promise<ReconciliationDay[]> {
  const { values, add } = collectValues();
  const conditions = whereAll([
    ...amongMerchants(filter.merchantIds ?? null, scope, add),
    ...given(isOneOf('t.channel_id', filter.channelIds, add)),
    `t.day between ${add(filter.from)}::date and ${add(filter.to)}::date`,
  ]);
  const { rows } = await database.reading.query<ReconciliationDay & object>(
    `select ${dayColumns} from reconciliation_day t ${dayJoins}
     ${conditions} order by t.merchant_id, t.channel_id, t.day limit ${add(maxRows)}`,
    values,
  );
  return rows;
}
