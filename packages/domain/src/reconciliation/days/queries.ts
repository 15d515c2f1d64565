import { isSuperseded, repetition } from '../files/queries.ts';
import { placeOf } from '../identity/queries.ts';

/** A day of a channel, locked until the decision is written. `tolerated`: the differences within the tolerance that are not posted yet. */
export const lockDaySql = dayFacts('for update');
/** The same day without a lock. */
export const readDaySql = dayFacts('');
function dayFacts(lock: 'for update' | ''): string {
  return `select d.state, d.is_covered as "isCovered", d.is_part as "isPart", d.is_due as "isDue", d.tolerated::text as posted,
    (d.day + 1)::timestamp at time zone $4 < clock_timestamp() - interval '10 minutes' as "isOver", d.closed_by as "closedBy", d.approver
  from reconciliation_day d where d.merchant_id = $1 and d.channel_id = $2 and d.day = $3 ${lock}`;
}
/** Whether the day of the row is closed. $1 and $2: tenant and channel. `row` is SQL. */
export const isOnClosedDay = (row: string): string =>
  `exists (select from reconciliation_day d where d.merchant_id = $1 and d.channel_id = $2 and d.day = ${row}.day and d.state = 'closed')`;
/** An open break `b` over several days, of which the row's day is one. `row` is SQL. */
export const isGapOver = (row: string): string =>
  `b.merchant_id = ${row}.merchant_id and b.channel_id = ${row}.channel_id and b.since <= ${row}.day and b.day >= ${row}.day and b.state in ('open', 'posting')`;
export const gapSql = `select exists (select from reconciliation_break b, (values ($1::text, $2::text, $3::date)) as t(merchant_id, channel_id, day)
  where ${isGapOver('t')}) as "hasGap"`;
/** The open breaks of a day, by kind. */
export const openByKindSql = `select kind, count(*)::integer as breaks, sum(abs(amount))::text as difference from reconciliation_break
  where merchant_id = $1 and channel_id = $2 and day = $3 and state in ('open', 'posting') group by kind order by kind`;
export const openOnDaySql = `select count(*)::integer as count, coalesce(sum(abs(amount)), 0)::text as difference from reconciliation_break
  where merchant_id = $1 and channel_id = $2 and day = $3 and state in ('open', 'posting')`;
/** A line or an entry has a match with something of another day. `$3` is the day. */
const isElsewhere = `f.match_no > 0 and (exists (select from matched_line y
    join statement_line l on l.merchant_id = y.merchant_id and l.file_no = y.file_no and l.line_no = y.line_no and l.part = y.part
    where y.merchant_id = $1 and y.match_no = f.match_no and l.day <> $3)
  or exists (select from matched_expectation y join statement_expectation e on e.merchant_id = y.merchant_id and e.transfer_no = y.transfer_no
    where y.tenant = $1 and y.match_no = f.match_no and e.day <> $3))`;
/**
 * The parts of what the statements of a day show beyond the ledger. Matches whose sides cancel each other out on the day are left out. Decisions of
 * operators have the number of their break, below zero. Parameters: $1 tenant, $2 channel, $3 day.
 */
export const explainDaySql = `with side as (
    select case m.rule when '${repetition}' then coalesce((select -max(b.break_no) from reconciliation_break b where b.merchant_id = $1
        and b.subject = 'line ' || ${placeOf('l')} and b.state = 'linked'), m.match_no) else m.match_no end as match_no, 'line ' || ${placeOf('l')} as subject, case l.direction when 'in' then l.gross else -l.gross end as amount
    from statement_line l left join matched_line m on m.merchant_id = l.merchant_id and m.file_no = l.file_no and m.line_no = l.line_no and m.part = l.part
    where l.merchant_id = $1 and l.channel_id = $2 and l.day = $3 and l.currency = (select o.currency from merchant o where o.merchant_id = $1)
      and m.rule is distinct from 'same_line' and not ${isSuperseded('l')}
    union all
    select m.match_no, coalesce((select b.subject from reconciliation_break b where m.match_no is null and b.merchant_id = $1 and b.channel_id = $2 and b.day = $3
        and b.owner_id = e.merchant_id and b.transfer_no = e.transfer_no and b.state in ('open', 'posting') and b.subject like 'line %' order by b.break_no limit 1),
      'transfer ' || e.merchant_id || ' ' || e.transfer_no), case e.direction when 'in' then -e.amount else e.amount end
    from statement_expectation e left join matched_expectation m on m.merchant_id = e.merchant_id and m.transfer_no = e.transfer_no
    where e.tenant = $1 and e.channel_id = $2 and e.day = $3),
  found as (select match_no, min(subject) as subject, count(*) as count, sum(amount) as amount from side
    group by match_no, case when match_no is null then subject end having sum(amount) <> 0),
  told as (select f.count, f.amount, f.match_no, ${isElsewhere} as is_elsewhere, b.break_no, b.kind, b.state
    from found f left join lateral (select * from reconciliation_break b where b.merchant_id = $1 and b.break_no = coalesce(case when f.match_no < 0 then -f.match_no end,
      (select max(o.break_no) from reconciliation_break o where o.merchant_id = $1 and o.subject = f.subject))) b on true
    union all
    select 1, b.amount, null, false, b.break_no, b.kind, b.state from reconciliation_break b
    where b.merchant_id = $1 and b.channel_id = $2 and b.day = $3 and b.subject like 'fees %' and b.state <> 'matched'),
  part as (select t.*, case when is_elsewhere then 'other_days' when break_no is not null and state <> 'matched' then 'break'
    when match_no is not null then 'other_amounts' else 'not_matched' end as reason from told t)
  select reason, case when reason = 'break' then kind end as "breakKind", case when reason = 'break' then state end as "breakState",
    coalesce((array_agg(break_no::float8 order by break_no) filter (where reason = 'break'))[1:20], '{}') as "breakNos",
    sum(count)::integer as count, sum(amount)::text as amount
  from part group by 1, 2, 3 order by 1, 2, 3`;
export const toleratedOnDaySql = `select coalesce(sum(m.difference), 0)::text as tolerated from statement_line l
  join matched_line m on m.merchant_id = l.merchant_id and m.file_no = l.file_no and m.line_no = l.line_no and m.part = l.part
  where l.merchant_id = $1 and l.channel_id = $2 and l.day = $3 and m.difference <> 0`;
export const waitingFileSql =
  "select count(*)::integer as count from statement_file where merchant_id = $1 and channel_id = $2 and state = 'received'";
/** Whether transfers of the country's merchants that were written before this are not expected yet. `tenant` and `before` are SQL. */
export const isBehind = (tenant: string, before: string): string => `exists (select from merchant own
  join merchant bm on bm.country = own.country and bm.merchant_id <> 'PLATFORM'
  join wallet w on w.merchant_id = bm.merchant_id left join expectation_progress p on p.merchant_id = w.merchant_id
  where own.merchant_id = ${tenant} and w.last_transfer_no > coalesce(p.transfer_no, 0)
    and exists (select from transfer t where t.merchant_id = w.merchant_id and t.transfer_no = coalesce(p.transfer_no, 0) + 1
      and t.created_at < ${before}))`;
export const behindSql = `select ${isBehind('$1', '($2::date + 1)::timestamp at time zone $3')} as "isBehind"`;
/** Whether a payment that the ledger expects on the day is neither matched nor a break. */
export const unexplainedSql = `select exists (select from statement_expectation e where e.tenant = $1 and e.channel_id = $2 and e.day = $3
  and not exists (select from matched_expectation m where m.merchant_id = e.merchant_id and m.transfer_no = e.transfer_no)
  and not exists (select from reconciliation_break b where b.merchant_id = $1 and b.channel_id = $2 and b.state in ('open', 'posting')
    and b.owner_id = e.merchant_id and b.transfer_no = e.transfer_no)) as "isUnexplained"`;
export const closeDaySql = `update reconciliation_day set state = 'closed', closed_by = $4, approver = $5, closed_at = clock_timestamp(), tolerated = tolerated + $6::numeric
  where merchant_id = $1 and channel_id = $2 and day = $3`;
export const reopenDaySql = `update reconciliation_day set state = 'open', closed_by = null, approver = null, closed_at = null, reopened_by = $4, reopened_at = clock_timestamp(),
    is_due = is_covered where merchant_id = $1 and channel_id = $2 and day = $3`;

const channelColumns = 'begins_on::text as "beginsOn", tolerance::text as tolerance, account, fetches';
export const setChannelSql = `insert into reconciled_channel as c (merchant_id, channel_id, begins_on, tolerance, account, fetches)
  values ($1, $2, coalesce($3::date, (clock_timestamp() at time zone $6)::date), coalesce($4::numeric, 0), $5, coalesce($7::boolean, false))
  on conflict (merchant_id, channel_id) do update set begins_on = coalesce($3::date, c.begins_on), tolerance = coalesce($4::numeric, c.tolerance),
    account = coalesce($5, c.account), fetches = coalesce($7::boolean, c.fetches)
  returning ${channelColumns}`;
export const reconciledChannelSql = `select ${channelColumns} from reconciled_channel where merchant_id = $1 and channel_id = $2 for update`;
export const dueDaysSql =
  "update reconciliation_day set is_due = true where merchant_id = $1 and channel_id = $2 and is_covered and state = 'open'";
