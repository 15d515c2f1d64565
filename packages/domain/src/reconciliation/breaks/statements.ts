import type { MikroORM } from '@mikro-orm/postgresql';
import { columnsOf } from '../../database/columns.ts';
import { ReconciliationBreakRow } from '../../database/entities/reconciliation.ts';
import { isBehind } from '../days/statements.ts';
import { isSuperseded, lastBreakSql } from '../files/statements.ts';

const sign = (row: string): string => `(case ${row}.direction when 'in' then 1 else -1 end)`;

/** The order of an open line, also where its number must match nothing. */
const orderOfLine = 'coalesce(l.order_no, l.foreign_order)';

/**
 * The same movement on another line that is matched, or that comes before. A line of another order repeats nothing: one bank reference can pay several
 * orders. A line without an order number is of the order that its match names. $1 and $2: tenant and channel.
 */
const isRepeated = `exists (select from statement_line d
  join statement_file f on f.merchant_id = d.merchant_id and f.file_no = d.file_no and f.state = 'imported'
  left join matched_line m on m.merchant_id = d.merchant_id and m.file_no = d.file_no and m.line_no = d.line_no and m.part = d.part
  where d.merchant_id = $1 and d.channel_id = $2 and d.channel_ref = l.channel_ref and d.direction = l.direction and d.gross = l.amount and d.currency = l.currency and d.type = l.type
    and (d.file_no, d.line_no, d.part) <> (l.file_no, l.line_no, l.part)
    and (m.match_no is not null or (d.file_no, d.line_no, d.part) < (l.file_no, l.line_no, l.part))
    and m.rule is distinct from 'same_line' and not ${isSuperseded('d')}
    and (${orderOfLine} is null or coalesce(d.order_no, (select e.order_no from matched_expectation s
      join statement_expectation e on e.merchant_id = s.merchant_id and e.transfer_no = s.transfer_no
      where s.tenant = $1 and s.match_no = m.match_no limit 1), ${orderOfLine}) = ${orderOfLine}))`;

/** Whether the order of a line waits for this channel to say how it went. The number has four characters of its merchant. */
const isOpenOrder = `exists (select from merchant m join orders o on o.merchant_id = m.merchant_id and o.order_no = ${orderOfLine}
  where m.tag = substr(${orderOfLine}, 12, 4) and o.channel_id = $2 and o.kind = l.type and o.status in ('created', 'processing', 'partial_paid'))`;

/**
 * The settlement that a line names, or else the bank file: a whole number of either. A line that names several is left to people. The settlement
 * travels with a payment, and the file with its message (docs/adr/0022-settlement-from-closed-days.md).
 */
export const namesOf = `(select case when count(distinct n.no) filter (where n.no like 'ST%') = 1 then min(n.no) filter (where n.no like 'ST%')
    when count(distinct n.no) = 1 then min(n.no) end
  from (select found[1] as no from regexp_matches(concat_ws(' ', ${orderOfLine}, l.channel_ref, l.bank_ref, l.settlement_ref),
    '\\m(ST[0-9A-Z]{4}[0-9]{6,29}|SF[A-Z]{2}[0-9]{6,29}|SP[0-9A-HJKMNP-TV-Z]{25})\\M', 'g') as found) n)`;

/** The lines of statements that are still open. $3: the currency of the tenant. */
export const wantLineBreaksSql = `insert into wanted_break
  select 'line ' || l.file_no || '/' || l.line_no || '/' || l.part,
    case when l.currency <> $3 then 'currency' when l.type = 'fee' then 'fee' when ${isRepeated} then 'duplicate'
      when l.type in ('refund', 'payout_return') then 'late_reversal'
      when l.type in ('payin', 'payout') and ${isOpenOrder} then 'status' else 'missing_in_ledger' end,
    case when l.currency = $3 then l.amount * ${sign('l')} else 0 end, l.day, l.file_no, l.line_no, l.part, null, null, ${orderOfLine},
    ${namesOf}
  from open_line l`;

/** The open expectations on days that a statement covers. */
export const wantMissingAtChannelSql = `insert into wanted_break
  select 'transfer ' || e.merchant_id || ' ' || e.transfer_no, 'missing_at_channel', -e.amount * ${sign('e')}, e.day, null, null, null, e.merchant_id, e.transfer_no, e.order_no
  from open_expectation e where e.is_covered`;

/** Breaks whose line or expectation is explained now, or has become part of another break. Those that were being posted are posted. */
export const endExplainedSql = `update reconciliation_break b
  set state = case b.state when 'posting' then 'posted' else 'matched' end, closed_at = clock_timestamp()
  where b.merchant_id = $1 and b.channel_id = $2 and b.state in ('open', 'posting') and (b.part is not null or b.owner_id is not null)
    and not exists (select from wanted_break w where w.subject = b.subject)`;

/** Changes the reason of breaks that still exist for another reason. */
export const changeReasonSql = `update reconciliation_break b set kind = w.kind, amount = w.amount, owner_id = w.owner_id, transfer_no = w.transfer_no,
    names = w.names
  from wanted_break w where b.merchant_id = $1 and b.subject = w.subject and b.state = 'open'
    and (b.kind, b.amount, b.owner_id, b.transfer_no, b.names) is distinct from (w.kind, w.amount, w.owner_id, w.transfer_no, w.names)`;

/** Adds new breaks. A break that an operator decided during the matching is left out. */
export const openBreaksSql = `insert into reconciliation_break
    (merchant_id, break_no, channel_id, day, subject, kind, amount, file_no, line_no, part, owner_id, transfer_no, order_no, names)
  select $1, ${lastBreakSql} + row_number() over (order by w.day, w.subject), $2, w.day, w.subject, w.kind, w.amount, w.file_no, w.line_no, w.part,
    w.owner_id, w.transfer_no, w.order_no, w.names
  from wanted_break w where not exists (select from reconciliation_break b where b.merchant_id = $1 and b.subject = w.subject and b.state in ('open', 'posting'))
    and not exists (select from matched_line m where m.merchant_id = $1 and m.file_no = w.file_no and m.line_no = w.line_no and m.part = w.part)
    and not exists (select from matched_expectation m where m.merchant_id = w.owner_id and m.transfer_no = w.transfer_no)`;

/**
 * Opens the breaks $3 again that were entered as reports of the channel before $4, and are still `posting`. The expectations include the whole ledger up
 * to $4. So entering the report changed nothing: the ledger had the payment already.
 */
export const returnEnteredSql = `update reconciliation_break b set state = 'open',
    reason = 'nothing was entered: the ledger has a payment of this reference already (' || b.reason || ')'
  where b.merchant_id = $1 and b.channel_id = $2 and b.state = 'posting' and b.break_no = any($3::bigint[]) and not (${isBehind('$1', '$4::timestamptz')})`;

export const nowSql = 'select clock_timestamp()::text as at';

/** The days that were matched are no longer due, except those that changed meanwhile. */
export const matchedDaysSql = `update reconciliation_day d set is_due = false from due_day t
  where d.merchant_id = $1 and d.channel_id = $2 and d.day = t.day and d.xmin::text = t.version`;

const breakColumns = (orm: MikroORM): string => columnsOf(orm, ReconciliationBreakRow);

/** A break of the tenant $1 by its number $2, locked until the decision is written. */
export const lockBreakSql = (orm: MikroORM): string =>
  `select ${breakColumns(orm)} from reconciliation_break t where t.merchant_id = $1 and t.break_no = $2 for update`;

export const seenBreakSql = `select kind, amount::text as amount, owner_id as "ownerId", transfer_no::float8 as "transferNo" from reconciliation_break
  where merchant_id = $1 and break_no = $2`;

/** The line of a break, as far as decisions need it. */
export const lineOfBreakSql = `select type, direction, gross::text as gross, currency, channel_ref as "channelRef", order_no as "orderNo", bank_ref as "bankRef"
  from statement_line where merchant_id = $1 and file_no = $2 and line_no = $3 and part = $4`;

/** Whether the day $3 of a channel is closed. */
export const isDayClosedSql = `select from reconciliation_day where merchant_id = $1 and channel_id = $2 and day = $3 and state = 'closed' for share`;

/** Ends a break ($2 of the tenant $1) as $3, by $4 and $5 because of $6. A break that is being posted is not ended yet. */
export const decideBreakSql = `update reconciliation_break set state = $3, decided_by = $4, approver = $5, reason = $6, decided_at = clock_timestamp(),
    closed_at = case when $3 = 'posting' then null else clock_timestamp() end
  where merchant_id = $1 and break_no = $2`;

/** Explains the line and the expectation of the break $2 by the decision on the break $3. */
export const explainLineSql = `insert into matched_line (merchant_id, file_no, line_no, part, match_no, rule)
  select merchant_id, file_no, line_no, part, -$3::bigint, $4 from reconciliation_break where merchant_id = $1 and break_no = $2 and part is not null`;
export const explainExpectationSql = `insert into matched_expectation (merchant_id, transfer_no, tenant, match_no)
  select owner_id, transfer_no, merchant_id, -$3::bigint from reconciliation_break where merchant_id = $1 and break_no = $2 and owner_id is not null`;

/** Says on an open break ($2 of the tenant $1), that people have not decided, why its line proves nothing ($3). */
export const noteProblemSql = `update reconciliation_break set reason = $3
  where merchant_id = $1 and break_no = $2 and state = 'open' and decided_at is null and reason is distinct from $3`;

/** Breaks that two operators agreed to enter as reports of the channel, the oldest first. */
export const postingSql = `select b.merchant_id as "merchantId", b.break_no::float8 as "breakNo", b.channel_id as "channelId", b.day::text as day, m.currency, b.file_no::float8 as "fileNo",
    b.line_no as "lineNo", b.part, l.type, l.gross::text as gross, l.channel_ref as "channelRef", l.order_no as "orderNo", l.bank_ref as "bankRef"
  from reconciliation_break b join merchant m using (merchant_id)
  join statement_line l on l.merchant_id = b.merchant_id and l.file_no = b.file_no and l.line_no = b.line_no and l.part = b.part
  where b.state = 'posting' and (b.merchant_id, b.break_no) > ($1, $2::bigint) order by b.merchant_id, b.break_no limit $3`;

/** Lets the day $3 of a channel be matched again. */
export const makeDueSql =
  'update reconciliation_day set is_due = true where merchant_id = $1 and channel_id = $2 and day = $3';

/** The open breaks of each channel by their amounts, and what is expected on days without a statement. */
export const unreconciledSql = `
select "channelId", currency, sum(amount)::text as amount, min(since)::text as since, sum(breaks)::integer as "openBreaks" from (
  select b.channel_id as "channelId", m.currency, abs(b.amount) as amount, b.day as since, 1 as breaks
  from reconciliation_break b join merchant m using (merchant_id) where b.state in ('open', 'posting')
  union all
  select d.channel_id, m.currency, d.ledger_gross, d.day, 0 from reconciliation_day d join merchant m using (merchant_id)
  where not d.is_covered and d.expectations > 0 and d.day < $1::date) t group by 1, 2 order by 1, 2`;

/** Whether a newer version of its statement replaced a line ($2 file, $3 row, $4 part) of the tenant $1. */
export const isLineSupersededSql =
  'select from superseded_line where merchant_id = $1 and file_no = $2 and line_no = $3 and part = $4';
