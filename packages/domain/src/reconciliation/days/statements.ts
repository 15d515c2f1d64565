/** A day of a channel, locked until the decision is written. `tolerated`: the differences within the tolerance that are not posted yet. */
export const lockDaySql = dayFacts('for update');
/** The same day without a lock. */
export const readDaySql = dayFacts('');
function dayFacts(lock: 'for update' | ''): string {
  return `select d.state, d.is_covered as "isCovered", d.is_due as "isDue", d.tolerated::text as posted,
    (d.day + 1)::timestamp at time zone $4 < clock_timestamp() - interval '10 minutes' as "isOver", d.closed_by as "closedBy", d.approver
  from reconciliation_day d where d.merchant_id = $1 and d.channel_id = $2 and d.day = $3 ${lock}`;
}
/** The open breaks of a day, by kind. */
export const openByKindSql = `select kind, count(*)::integer as breaks, sum(abs(amount))::text as difference from reconciliation_break
  where merchant_id = $1 and channel_id = $2 and day = $3 and state in ('open', 'posting') group by kind order by kind`;
export const openOnDaySql = `select count(*)::integer as count, coalesce(sum(abs(amount)), 0)::text as difference from reconciliation_break
  where merchant_id = $1 and channel_id = $2 and day = $3 and state in ('open', 'posting')`;
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
