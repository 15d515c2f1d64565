import { withoutOrder } from '../../core/unmatched.ts';
import { millis } from '../../database/columns.ts';

/**
 * At most $1 merchants with transfers whose movements are not expected yet, those that waited longest first. Only merchants of countries with a
 * reconciled channel. `begins`: the first day of any of those, as the beginning of that day in the zone of $2's country.
 */
export const behindSql = `
select w.merchant_id as "merchantId", t.merchant_id as tenant, w.currency, z.zone, p.transfer_no::float8 as done, w.last_transfer_no::float8 as last,
  ${millis('(t.begins_on::timestamp at time zone z.zone)')} as begins
from (select merchant_id, min(begins_on) as begins_on from reconciled_channel group by 1) t
join merchant own on own.merchant_id = t.merchant_id
join unnest($2::text[], $3::text[]) as z(country, zone) on z.country = own.country
join merchant m on m.country = own.country and m.merchant_id <> 'PLATFORM'
join wallet w on w.merchant_id = m.merchant_id
left join expectation_progress p on p.merchant_id = w.merchant_id
where w.last_transfer_no > coalesce(p.transfer_no, 0) order by p.moved_at nulls first, w.merchant_id limit $1::integer`;

/** Whether a transfer was written at or after a time. Parameters: $1 merchant, $2 transfer, $3 time (Unix ms). */
export const wasWrittenSinceSql = `select created_at >= to_timestamp($3::float8 / 1000) as "isSince" from transfer where merchant_id = $1 and transfer_no = $2`;

/** Transfers of a merchant. Parameters: $1 merchant, $2 transfer to begin after, $3 limit; one more is returned. */
export const nextTransfersSql = `select transfer_no::float8 as "transferNo", debit, credit, amount::text as amount, cause, order_no as "orderNo",
    batch_no::float8 as "batchNo", ${millis('created_at')} as "createdAt"
  from transfer where merchant_id = $1 and transfer_no > $2 order by transfer_no limit $3::integer + 1`;

/** Payments of orders, each order's as they came. Parameters: $1 merchant, $2 orders. */
export const paymentsOfOrdersSql = `select order_no as "orderNo", direction, reference, channel_id as "channelId", amount::text as amount, use, batch_no::float8 as "batchNo"
  from payment where merchant_id = $1 and order_no = any($2::text[]) and use <> 'confirmed' order by order_no, seq`;

/** Cases over unmatched money. Their reference is that of the payment. Parameters: $1 tenant, $2 times of the transactions that opened them (Unix ms). */
export const unmatchedPaymentsSql = `select null as "orderNo", nullif(payment_order_no, '${withoutOrder}') as "namedOrderNo",
    case when kind in ('payout_paid_again', 'payout_wrong_amount') then 'out' when kind = 'payout_returned' then 'back' else 'in' end as direction, reference, channel_id as "channelId", amount::text as amount, 'suspense' as use, batch_no::float8 as "batchNo"
  from money_case where merchant_id = $1 and opened_at = any(array(select to_timestamp(t / 1000) from unnest($2::float8[]) t)) and reference is not null`;

/** What channels paid for settlements, and gave back, by its transfer. Parameters: $1 merchant, $2 transfers. */
export const settlementsOfTransfersSql = `select k.no::float8 as "transferNo", s.payment_no as "orderNo", s.channel_ref as "channelRef"
  from settlement s cross join lateral (values (s.transfer_no), (s.return_transfer_no)) as k(no)
  where s.merchant_id = $1 and s.payment_no is not null and k.no = any($2::bigint[])`;

/** Equal top-ups of one moment: the first transfer is that of the first entry. */
const nthOf = (amount: string, account: string, no: string): string =>
  `row_number() over (partition by created_at, ${amount}, ${account} order by ${no}) as nth`;
/** The numbers of bank transfers that are top-ups through a channel. Parameters: $1 merchant, $2 transfers. */
export const topUpsOfTransfersSql = `with found as materialized (select distinct created_at from transfer where merchant_id = $1 and transfer_no = any($2::bigint[]) and cause = 'top_up')
  select t.transfer_no::float8 as "transferNo", e.booking_no as "bankRef"
  from (select *, ${nthOf('amount', 'debit', 'transfer_no')} from transfer where merchant_id = $1 and cause = 'top_up' and created_at in (select created_at from found)) t
  join (select *, ${nthOf('available_change', 'counter', 'entry_no')} from wallet_entry
    where merchant_id = $1 and type = 'TOP_UP' and booking_no is not null and created_at in (select created_at from found)) e
    on (e.created_at, e.available_change, e.counter, e.nth) = (t.created_at, t.amount, t.debit, t.nth)
  where t.transfer_no = any($2::bigint[])`;

/** The references of orders: the channel's, and that of a proof of payment. Parameters: $1 merchant, $2 orders. */
export const referencesOfOrdersSql = `select order_no as "orderNo", channel_ref as "orderRef", task -> 'proof' ->> 'reference' as "bankRef"
  from orders where merchant_id = $1 and order_no = any($2::text[]) and (channel_ref is not null or task -> 'proof' <> 'null')`;

/**
 * Adds the expectations $1 (JSON) of the merchant $4, and counts them by day. $2: the tenant, $3: its time zone. The merchant is done up to its
 * transfer $5. Adding one again changes nothing.
 */
export const addExpectationsSql = `
with found as (
  select r.*, (to_timestamp(r."postedAt" / 1000) at time zone $3::text)::date as day
  from json_to_recordset($1::json) as r("transferNo" bigint, "channelId" text, cause text, direction text, amount numeric, "orderNo" text,
    "channelRef" text, "orderRef" text, "bankRef" text, "postedAt" float8)),
added as (
  insert into statement_expectation
    (merchant_id, transfer_no, tenant, channel_id, day, cause, direction, amount, order_no, channel_ref, order_ref, bank_ref, posted_at)
  select $4, f."transferNo", $2, f."channelId", f.day, f.cause, f.direction, f.amount, f."orderNo", f."channelRef", f."orderRef", f."bankRef",
    to_timestamp(f."postedAt" / 1000)
  from found f join reconciled_channel c on c.merchant_id = $2 and c.channel_id = f."channelId" and c.begins_on <= f.day
  on conflict (merchant_id, transfer_no) do nothing
  returning channel_id, day, direction, amount),
noted as (
  insert into reconciliation_day as d (merchant_id, channel_id, day, expectations, ledger_net, ledger_gross)
  select $2, channel_id, day, count(*), sum(case direction when 'in' then amount else -amount end), sum(amount) from added group by 2, 3 order by 2, 3
  on conflict (merchant_id, channel_id, day) do update set is_due = d.is_covered, expectations = d.expectations + excluded.expectations,
    ledger_net = d.ledger_net + excluded.ledger_net, ledger_gross = d.ledger_gross + excluded.ledger_gross)
insert into expectation_progress as p (merchant_id, transfer_no, moved_at) values ($4, $5, clock_timestamp())
on conflict (merchant_id) do update set transfer_no = excluded.transfer_no, moved_at = excluded.moved_at`;

/** Lets the days with open breaks over the orders $2 be matched again: something of these orders moved. $1: the tenant. */
export const makeBreaksDueSql = `update reconciliation_day d set is_due = true from reconciliation_break b
  where b.merchant_id = $1 and b.order_no = any($2::text[]) and b.state in ('open', 'posting') and not d.is_due
    and d.merchant_id = b.merchant_id and d.channel_id = b.channel_id and d.day = b.day`;

/** Reads the transfers of the country's merchants again: a channel is reconciled from an earlier day, or for the first time. */
export const beginAgainSql = `delete from expectation_progress p using merchant m, merchant own
  where own.merchant_id = $1 and m.country = own.country and p.merchant_id = m.merchant_id`;
