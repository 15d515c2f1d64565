import type { MikroORM } from '@mikro-orm/postgresql';
import { columnsAs } from '../database/columns.ts';
import { SettlementRow } from '../database/entities/settlement.ts';
import { heldCreditsSql } from '../reconciliation/index.ts';

/** Today in a time zone. Ten minutes after midnight, so that no entry of the day before is still being written. Parameters: $1 zone. */
export const todaySql = `select ((clock_timestamp() - interval '10 minutes') at time zone $1)::date::text as today`;

/** The cycles of a country's merchants. Parameters: $1 country, $2 merchant to begin after, $3 limit. */
export const cyclesSql = `select c.merchant_id as "merchantId", m.tag, c.working_days as "workingDays", c.weekdays, c.minimum::text as minimum,
    c.keep::text as keep, c.begins_on::text as "beginsOn", c.account_id as "accountId"
  from settlement_cycle c join merchant m on m.merchant_id = c.merchant_id
  where m.country = $1 and c.merchant_id > $2 order by c.merchant_id limit $3`;

/** A wallet, and the day of its first transfer that reconciliation does not know of. Parameters: $1 merchant, $2 time zone. */
export const walletSql = `select w.currency, w.available::text as available, w.withheld::text as withheld, w.last_entry_no::float8 as "lastEntryNo",
    (t.created_at at time zone $2)::date::text as "unknownFrom"
  from wallet w left join expectation_progress p on p.merchant_id = w.merchant_id
  left join transfer t on t.merchant_id = w.merchant_id and t.transfer_no = coalesce(p.transfer_no, 0) + 1
  where w.merchant_id = $1`;

/** The last settlement that is no draft. Parameters: $1 merchant. */
export const lastSettlementSql = `select seq::float8 as seq, closing::text as closing, settled_days as "settledDays",
    settled_entries as "settledEntries", through_entry_no::float8 as "throughEntryNo", pending_after::float8 as "pendingAfter"
  from settlement where merchant_id = $1 and state <> 'draft' order by seq desc limit 1`;

/** Begins a transaction in which all reads see the same moment. */

/** The draft of a merchant. Parameters: $1 merchant. */
export function draftSql(orm: MikroORM): string {
  return `select ${columnsAs(orm, SettlementRow, { alias: 't', prefix: '' }).text} from settlement t where t.merchant_id = $1 and t.state = 'draft'`;
}

/** The wallet after an entry, and whether that was before a day. Parameters: $1 merchant, $2 entry, $3 day, $4 time zone. */
export const entrySql = `select available_after::text as closing, created_at < $3::date::timestamp at time zone $4 as "isBefore" from wallet_entry
  where merchant_id = $1 and entry_no = $2`;

/** Credits of the wallet after an entry, except released payouts. Parameters: $1 merchant, $2 entry. */
export const creditedSql = `select coalesce(sum(e.available_change) filter (where e.available_change > 0 and e.type <> 'PAYOUT_RELEASE'), 0.00)::text as amount,
    coalesce(max(e.entry_no), $2::bigint)::float8 as "throughEntryNo"
  from wallet_entry e where e.merchant_id = $1 and e.entry_no > $2::bigint`;

/**
 * The channels whose days decide about an entry, joined by commas; empty: none. A top-up waits for the channel whose account received it: versions before bookings kept it left only its transfer. An order's entry with a remark is credited from cases: then these are
 * the channels that brought their money. `orderChannel`: the channel of the entry's order.
 */
export const channelsOf = (entry: string, orderChannel: string): string => `case
    when ${entry}.type in ('PAYIN', 'PAYOUT_RETURN') then coalesce(case when ${entry}.remark is not null then (
      select string_agg(distinct substr(m.debit, 9), ',' order by substr(m.debit, 9)) from transfer m where m.merchant_id = ${entry}.merchant_id
        and m.order_no = ${entry}.order_no and m.cause in ('suspense_in', 'payin_part') and m.debit like 'channel:%') end, ${orderChannel}, '?')
    when ${entry}.type = 'ADJUSTMENT' and ${entry}.booking_no like 'CASE/%' and ${entry}.remark ~ '^cases? [0-9, ]+$' then coalesce((
      select string_agg(distinct c.channel_id, ',' order by c.channel_id) from money_case c where c.merchant_id = split_part(${entry}.booking_no, '/', 2)
        and case when length(${entry}.remark) < 255 then c.case_no = any(string_to_array(regexp_replace(${entry}.remark, '^cases? ', ''), ', ')::bigint[])
          else c.closed_at = ${entry}.created_at end), '')
    when ${entry}.type = 'TOP_UP' and ${entry}.counter is not null then case when ${entry}.counter like 'channel:%' then substr(${entry}.counter, 9) else '' end
    when ${entry}.type = 'TOP_UP' then coalesce((select min(substr(u.debit, 9)) from transfer u where u.merchant_id = ${entry}.merchant_id
      and u.cause = 'top_up' and u.created_at = ${entry}.created_at and u.amount = ${entry}.available_change and u.debit like 'channel:%'), '')
    else '' end`;

/** The credits of a merchant ($1) whose money is missing, and the channels whose days decide about them. */
export const heldSql = `select h.amount::text as held, h.entry_no::float8 as "entryNo", ${channelsOf('e', 'o.channel_id')} as "channelId"
  from (select entry_no, case when entry_no is null then held else if_settled end as amount from (${heldCreditsSql}) c) h left join wallet_entry e on e.merchant_id = $1 and e.entry_no = h.entry_no
  left join orders o on o.merchant_id = e.merchant_id and o.order_no = e.order_no where h.amount > 0`;

/** Whether an entry is a credit that waits for the closed day of its channel. */
export const isCreditSql = (entry: string): string =>
  `(${entry}.available_change > 0 and ${entry}.type <> 'PAYOUT_RELEASE')`;

/** Days and entries that are settled, and the last entry that was looked at: each is SQL. */
export interface Settled {
  days: string;
  entries: string;
  throughEntryNo: string;
}

/**
 * Whether a credit is settled: by its number, or by its day where the channel was settled by a version that kept no numbers. `entryNo`, `channel`,
 * `day`: SQL.
 */
export function isSettledSql(entryNo: string, channel: string, day: string, settled: Settled): string {
  const { days, entries, throughEntryNo } = settled;
  const last = `${entries}::jsonb -> ${channel}`;
  return `coalesce(case when ${last} ->> 'day' = ${days}::jsonb ->> ${channel} then ${entryNo} <= (${last} ->> 'entryNo')::bigint
    else ${entryNo} <= ${throughEntryNo}::bigint and ${day} <= ${days}::jsonb ->> ${channel} end, false)`;
}

const settled = isSettledSql('entry_no', '"channelId"', 'day', { days: '$6', entries: '$7', throughEntryNo: '$4' });

/**
 * Movements of a wallet by day, without settled credits. Parameters: $1 merchant, $2 entry to begin after, $3 last entry, $4 entry after which
 * movements are new, $5 time zone, $6 settled days, $7 settled entries (JSON). The days of a channel's credits never go back, although the clock may
 * have: a credit waits with those before it.
 */
export const movementsSql = `
with entry as (
  select e.entry_no, ${channelsOf('e', 'o.channel_id')} as "channelId", (e.created_at at time zone $5)::date::text as day, e.type, e.available_change,
    ${isCreditSql('e')} as is_credit, case when e.type = 'PAYIN' then o.fee_amount end as fee
  from wallet_entry e left join orders o on o.merchant_id = e.merchant_id and o.order_no = e.order_no
  where e.merchant_id = $1 and e.entry_no > $2 and e.entry_no <= $3 and e.available_change <> 0),
placed as (
  select *, case when is_credit then max(day) over (partition by "channelId", is_credit order by entry_no) else day end as placed
  from entry where not (is_credit and ${settled}))
select "channelId", placed as day, type, available_change > 0 as "isCredit", entry_no > $4 as "isNew", sum(available_change)::text as amount,
  coalesce(sum(fee), 0.00)::text as fees, count(*)::integer as count, min(entry_no)::float8 as "firstEntryNo"
from placed group by 1, 2, 3, 4, 5`;

/** The state of channels in the reconciliation. Parameters: $1 platform tenant, $2 channels. */
export const channelDaysSql = `select c.channel_id as "channelId", c.begins_on::text as "beginsOn",
    (select min(d.day)::text from reconciliation_day d where d.merchant_id = c.merchant_id and d.channel_id = c.channel_id and d.state = 'open') as "firstOpen"
  from reconciled_channel c where c.merchant_id = $1 and c.channel_id = any($2::text[])`;

/** A settlement by its number, and the account that the cycle has now. Parameters: $1 merchant, $2 settlement number. */
export function settlementSql(orm: MikroORM): string {
  return `select ${columnsAs(orm, SettlementRow, { alias: 't', prefix: '' }).text}, c.account_id as "accountNow"
    from settlement t left join settlement_cycle c on c.merchant_id = t.merchant_id where t.merchant_id = $1 and t.settlement_no = $2`;
}

/** A day that only this draft settles, and that was reopened meanwhile. Parameters: $1 merchant, $2 settlement number. */
export const openAgainSql = `select d.channel_id as "channelId", d.day::text as day from settlement s
  join merchant m on m.merchant_id = s.merchant_id cross join lateral jsonb_each_text(s.settled_days) as k(channel, until)
  join reconciliation_day d on d.merchant_id = 'PLATFORM-' || m.country and d.channel_id = any(string_to_array(k.channel, ',')) and d.state = 'open'
    and d.day <= k.until::date and d.day > coalesce((s.settled_before ->> k.channel)::date, '-infinity')
  where s.merchant_id = $1 and s.settlement_no = $2 and s.state = 'draft' order by d.day limit 1`;

/** The sealed bank accounts $2 of merchants $1. */
export const accountsSql = `select t.account_id as "accountId", t.sealed from settlement_account t
  join unnest($1::text[], $2::text[]) as k(m, a) on t.merchant_id = k.m and t.account_id = k.a`;
