import { restPrefix } from '../../core/refund.ts';
import { isShownBy, isSuperseded, repetition } from '../files/queries.ts';
import { placeOf } from '../identity/queries.ts';

// Credits whose money is missing: what a merchant's wallet got of it, and what somebody bears of it already. The payments of one order are one credit, and all
// breaks over them share it.

/** The merchant whose wallet got the money of a break: of the platform's money the one that was credited it. */
const holderOf = (row: string): string => `coalesce(${row}.credited_id, ${row}.owner_id)`;
/** The expectation by which the holder of a break got its money. */
const isCreditOf = (expectation: string, row: string): string => `${expectation}.merchant_id = ${holderOf(row)}
  and ${expectation}.transfer_no = coalesce(${row}.credited_transfer_no, ${row}.transfer_no)`;

/** The case of the expectation `e`: its money went to suspense when the case was opened, or it is a part of those that the case is about. */
const isCaseOf = `e.merchant_id <> e.tenant and c.merchant_id = e.merchant_id and c.state = 'credited' and (
    c.opened_at = e.posted_at and c.amount = e.amount and coalesce(c.reference = e.channel_ref, true) and e.cause = 'suspense_in'
    or c.kind = 'parts_of_unpaid' and c.order_no = e.order_no and e.cause = 'payin_part')`;
const isOfOrder = 'o.merchant_id = e.merchant_id and o.order_no = e.order_no';
const isReversed = `exists (select from wallet_entry w where w.merchant_id = e.merchant_id and w.booking_no = 'REVERSAL/' || e.bank_ref)`;
const entryNo = (its: string): string =>
  `(select w.entry_no from wallet_entry w where w.merchant_id = e.merchant_id and ${its} limit 1)`;
/** The entry that credits cases of the platform: its number has the first of them. */
const isOfPlatformCases = `w.booking_no in (select 'CASE/' || c.merchant_id || '/' || c.case_no from money_case c
    where c.merchant_id = e.tenant and c.state = 'credited' and c.closed_at = e.posted_at)`;
/** What was credited of cases over the rest of the money of the expectation `e`: an order took the most of it. */
const restsOf = `coalesce((select sum(r.amount) from money_case r where r.merchant_id = e.merchant_id and r.kind = 'wrong_amount' and r.state = 'credited'
    and r.channel_id = e.channel_id and r.reference = e.channel_ref and r.amount < e.amount
    and (r.opened_at = e.posted_at or r.opened_at > e.posted_at and r.detail like '${restPrefix}%')), 0.00)`;
/**
 * What the wallet was credited of the money of the expectation `e`: the net amount of the payin that it completed, the amount of a case that was credited
 * to the wallet, or a top-up that was not reversed. `b`: its break. `name`: of the credit, `entry_no`: of its wallet entry. No row:
 * nothing.
 */
const creditOf = `(select 'order ' || o.order_no as name, o.net_amount + ${restsOf} as most, ${entryNo("w.order_no = o.order_no and w.type = 'PAYIN'")} as entry_no from orders o where ${isOfOrder} and o.kind = 'payin' and o.status = 'completed'
    and (e.cause in ('payin', 'payin_part') or b.credited_id is not null and e.posted_at = o.completed_at
      or exists (select from money_case c where ${isCaseOf} and c.closed_at = o.completed_at))
  union all select 'case ' || c.case_no, c.amount, ${entryNo("w.booking_no = 'CASE/' || c.merchant_id || '/' || c.case_no")} from money_case c where ${isCaseOf}
    and not exists (select from orders o where ${isOfOrder} and o.kind = 'payin' and o.status = 'completed' and (o.completed_at = c.closed_at or e.cause = 'payin_part'))
  union all select 'transfer ' || e.transfer_no, e.amount, ${entryNo('w.booking_no = e.bank_ref')} where e.cause = 'top_up' and not ${isReversed}
  union all select 'transfer ' || e.transfer_no, e.amount, ${entryNo(isOfPlatformCases)} where b.credited_id is not null and e.order_no is null
  limit 1)`;

export const isEnded = (row: string): string => `${row}.state in ('posted', 'written_off', 'charged')`;
const isOver = (line: string): string => `in ('correction ' || ${placeOf(line)}, 'withdrawn ' || ${placeOf(line)})`;
const isPayment = (e: string): string => `${e}.cause in ('payin', 'payin_part')`;
/** What the entry `y`, an expectation, is counted with, as `nos` and their `amount`: all payments of a payin, since one credit came of them. Others stand alone. */
export const paymentsOf = (
  y: string,
): string => `(select coalesce(array_agg(paid.transfer_no order by paid.transfer_no), array[${y}.transfer_no]) as nos, coalesce(sum(paid.amount), ${y}.amount) as amount
  from transfer moved join statement_expectation paid on paid.merchant_id = moved.merchant_id and paid.transfer_no = moved.transfer_no
  where moved.merchant_id = ${y}.merchant_id and moved.order_no = ${y}.order_no and paid.channel_id = ${y}.channel_id and ${isPayment('paid')} and ${isPayment(y)})`;
/**
 * The breaks over entries `nos` of the merchant of the expectation `y`: those that carry one of them, and breaks of lines that show their money after it was
 * missing, or before it was known.
 */
export const breaksOver = (y: string, nos: string): string => {
  const its = `x.merchant_id = ${y}.tenant and x.owner_id = ${y}.merchant_id and x.transfer_no = any(${nos})`;
  return `(select x.* from reconciliation_break x where ${its}
    union select a.* from reconciliation_break x join reconciliation_break a on a.merchant_id = x.merchant_id and a.answers = x.break_no where ${its} and ${isEnded('x')}
    union select a.* from reconciliation_break x join reconciliation_break a on a.merchant_id = x.merchant_id and a.break_no = x.answers
      where ${its} and x.state not in ('matched', 'linked')
    union select a.* from reconciliation_break x join matched_line k on k.merchant_id = x.merchant_id and k.match_no = -x.answers
      join reconciliation_break a on a.merchant_id = k.merchant_id and a.subject ${isOver('k')} where ${its} and x.state not in ('matched', 'linked'))`;
};
const entryOf = (row: string, y: string): string =>
  `${y}.merchant_id = ${row}.owner_id and ${y}.transfer_no = ${row}.transfer_no`;
/** The entry by which a wallet paid for the break `f`, or got it back. */
const isChargeOf = (f: string): string => `w.booking_no = 'BREAK/' || ${f}.merchant_id || '/' || ${f}.break_no`;
/** What the wallet of the break `b` paid for breaks over the credit of the expectation `e`, less what it got back. */
const chargedOf = `(select coalesce(-sum(w.available_change), 0.00) from (
    select distinct f.merchant_id, f.break_no from reconciliation_break x join statement_expectation s on ${isCreditOf('s', 'x')}
    join statement_expectation z on ${entryOf('x', 'z')} cross join lateral ${paymentsOf('z')} r cross join lateral ${breaksOver('z', 'r.nos')} f
    where ${holderOf('x')} = ${holderOf('b')} and x.state = 'charged' and x.amount < 0 and (s.order_no = e.order_no or s.transfer_no = e.transfer_no)) f
  join wallet_entry w on w.merchant_id = ${holderOf('b')} and ${isChargeOf('f')})`;

/** A line that counts, in the currency of the entry `y`. */
const countsFor = `not ${isSuperseded('l')} and l.currency = (select o.currency from merchant o where o.merchant_id = y.tenant)`;
/** Whether the line `l` of the match `k` only shows money again that another line shows, if need be the first of several repetitions. */
const showsAgain = `(k.rule = '${repetition}' and ${isShownBy('l', 'k', `(t.rule <> '${repetition}' or (t.file_no, t.line_no, t.part) < (k.file_no, k.line_no, k.part))`)})`;
const signed = (row: string): string => `${row} * case when d.direction = y.direction then 1 else -1 end`;
const isOfPayments = (row: string): string => `${row}.merchant_id = y.merchant_id and ${row}.transfer_no = any(p.nos)`;
/**
 * What the lines that count now do not show of the entry `y` and its payments `p`: they are explained by the same matches. A line of an open break over one
 * of them counts as well.
 */
const unshownOf = `(select least(greatest(p.amount + coalesce(sum(${signed('d.amount')}), 0.00), 0.00), p.amount) as unshown from (
    select t.direction, t.amount from (select distinct s.merchant_id, s.transfer_no from unnest(q.matches) m(no)
      join matched_expectation s on s.tenant = y.tenant and s.match_no = m.no where not (${isOfPayments('s')})) s
    join statement_expectation t on t.merchant_id = s.merchant_id and t.transfer_no = s.transfer_no
    union all
    select l.direction, -l.gross from unnest(q.matches) m(no) join matched_line k on k.merchant_id = y.tenant and k.match_no = m.no
    join statement_line l on l.merchant_id = k.merchant_id and l.file_no = k.file_no and l.line_no = k.line_no and l.part = k.part where ${countsFor} and not ${showsAgain}
    union all
    select l.direction, -l.gross from reconciliation_break x
    join statement_line l on l.merchant_id = x.merchant_id and l.file_no = x.file_no and l.line_no = x.line_no and l.part = x.part
    where x.merchant_id = y.tenant and x.owner_id = y.merchant_id and x.transfer_no = any(p.nos) and x.state = 'open' and ${countsFor}) d)`;
/** The matches that explain the payments `p` of the entry `y`: their own, and those of the decisions over them. */
const matchesOf = `(select array(select m.match_no from matched_expectation m where ${isOfPayments('m')}
  union select -f.break_no from ${breaksOver('y', 'p.nos')} f where ${isEnded('f')}) as matches)`;
/** How the decisions over the payments `p` of the break `b` left them: what of them is posted, and what a wallet or the platform bears. */
const decidedOf = `(select -coalesce(sum(f.amount - f.written_off - coalesce(w.available_change, 0.00)), 0.00) as posted,
    -coalesce(sum(coalesce(w.available_change, 0.00)), 0.00) + greatest(-coalesce(sum(f.written_off), 0.00), 0.00) as borne
  from ${breaksOver('y', 'p.nos')} f left join wallet_entry w on w.merchant_id = ${holderOf('b')} and ${isChargeOf('f')} where ${isEnded('f')})`;

/**
 * Breaks `b` over money that was credited, with its entry `y`, its payments `p` and its credit `c`: what is `missing` of them, and what the wallet has `left`
 * of the credit.
 */
const missingOf = (
  kinds: string,
): string => `reconciliation_break b join statement_expectation e on ${isCreditOf('e', 'b')} and e.direction = 'in'
  join statement_expectation y on ${entryOf('b', 'y')} cross join lateral ${creditOf} c cross join lateral ${paymentsOf('y')} p
  cross join lateral ${matchesOf} q cross join lateral ${unshownOf} u cross join lateral ${decidedOf} d
  cross join lateral (select greatest(u.unshown - d.borne, 0.00) as missing, greatest(c.most - ${chargedOf}, 0.00) as left) g
  where b.amount < 0 and b.kind in (${kinds})`;
const missing = missingOf("'missing_at_channel', 'amount'");
const isOpen = `b.state in ('open', 'posting')`;
/** Whether the break is not decided yet, and the day of its entry `y` is open: its credit waits for the day, unless it was settled before the day was opened again. */
const isWaiting = `(${isOpen} and not exists (select from reconciliation_day o
    where o.merchant_id = y.tenant and o.channel_id = y.channel_id and o.day = y.day and o.state = 'closed'))`;

/** What may be charged for a break ($2 of the tenant $1). */
export const missingCreditSql = `select g.missing::text as missing, g.left::text as left from ${missing} and b.merchant_id = $1 and b.break_no = $2`;
/** Of the breaks $2 of tenants $1 those of whose credit the wallet still has something that is missing. */
export const creditedBreaksSql = `select b.merchant_id as "merchantId", b.break_no::float8 as "breakNo" from unnest($1::text[], $2::bigint[]) as k(tenant, no)
  cross join lateral (select b.* from ${missing} and b.merchant_id = k.tenant and b.break_no = k.no
    and least(g.missing, g.left, case when b.state = 'open' then g.missing else d.posted end) > 0) b`;

/**
 * The breaks of the match of the line that the break `b` is over, or the one that it answers, if no entry is known: the decision that explained the line, and
 * what changed since.
 */
const breaksOfMatch = `(with its as (select m.* from reconciliation_break o join matched_line m on m.merchant_id = o.merchant_id and m.file_no = o.file_no and m.line_no = o.line_no
    and o.subject ${isOver('m')} where o.merchant_id = b.merchant_id and o.break_no in (b.break_no, b.answers)),
  over as (select f.* from its join matched_line k on k.merchant_id = its.merchant_id and k.match_no = its.match_no
    join reconciliation_break f on f.merchant_id = k.merchant_id and f.subject ${isOver('k')})
  select f.* from its join reconciliation_break f on f.merchant_id = its.merchant_id and f.break_no = -its.match_no
  union select * from over union select a.* from over f join reconciliation_break a on a.merchant_id = f.merchant_id and a.answers = f.break_no)`;
/** The entry of the break `b`, or of the one that it answers. */
const entryOfBreak = `(select y.* from reconciliation_break o join statement_expectation y on ${entryOf('o', 'y')}
  where o.merchant_id = b.merchant_id and o.break_no in (b.break_no, b.answers) limit 1)`;
/** Whether the expectation `y` is that of the wallet's entry `w`: equal ones of one moment are in one order. */
const isMoved = `w.created_at = y.posted_at
    and (select count(*) from wallet_entry o where o.merchant_id = w.merchant_id and o.created_at = w.created_at and o.available_change = w.available_change
      and o.counter = w.counter and o.booking_no is not null and o.entry_no < w.entry_no)
    = (select count(*) from statement_expectation o where o.tenant = y.tenant and o.channel_id = y.channel_id
      and o.day between y.posted_at::date - 1 and y.posted_at::date + 1 and o.merchant_id = y.merchant_id and o.posted_at = y.posted_at and o.amount = y.amount
      and o.direction = y.direction and o.cause = y.cause and o.transfer_no < y.transfer_no)`;
/** The breaks over the top-up that the entry of the break `b` takes back, if a merchant was charged it before. */
const breaksOfReversed = `(select f.* from ${entryOfBreak} y
  join reconciliation_break x on ${holderOf('x')} = y.merchant_id and x.state = 'charged' and x.amount < 0
  join statement_expectation z on ${entryOf('x', 'z')} and z.cause = 'top_up' and z.amount = y.amount
  join wallet_entry w on w.merchant_id = y.merchant_id and w.booking_no = 'REVERSAL/' || z.bank_ref and ${isMoved}
  cross join lateral ${breaksOver('z', 'array[z.transfer_no]')} f where y.direction = 'out')`;
/** The break `b`, $2 of the tenant $1; all breaks `over` its money; and whose wallet got the money. */
const breaksOfMoney = `b as (select * from reconciliation_break where merchant_id = $1 and break_no = $2),
y as (select y.* from b cross join lateral ${entryOfBreak} y),
over as (select f.* from y cross join lateral ${paymentsOf('y')} p cross join lateral ${breaksOver('y', 'p.nos')} f
  union select f.* from b cross join lateral ${breaksOfReversed} f
  union select f.* from b cross join lateral ${breaksOfMatch} f where not exists (select from y)),
h as (select coalesce(max(f.credited_id), max(f.owner_id)) as holder from over f)`;
/** Breaks that answer the same one as the break `b`: other parts of the money. */
const otherParts = `select f.* from reconciliation_break f where f.merchant_id = b.merchant_id and f.answers = b.answers`;
/**
 * What a case had decided over the entry of the break `b`, money that left and that nobody had asked for: its merchant was charged, or the platform bears it. What
 * came back is borne no more.
 */
const endedCase = `select 0 as break_no, true as "isOwn", c.merchant_id as holder, -(c.amount - c.came_back) as amount, case c.state when 'charged' then -(c.amount - c.came_back) else 0.00 end as charged,
    case c.state when 'charged' then 0.00 else -(c.amount - c.came_back) end as written_off
  from ${entryOfBreak} y join money_case c on c.merchant_id = y.merchant_id and c.opened_at = y.posted_at and c.amount = y.amount
    and coalesce(c.reference = y.channel_ref, true) and c.state in ('charged', 'written_off') where y.direction = 'out' limit 1`;
/** The entry of the break `f`, of the one that it answers, or of the one that answers it. */
const itsTransfer = (
  f: string,
): string => `(select o.transfer_no from reconciliation_break o where o.merchant_id = ${f}.merchant_id and o.owner_id is not null
  and (o.break_no in (${f}.break_no, ${f}.answers) or o.answers = ${f}.break_no) limit 1)`;
/** The decisions over the payments of the break $2 of the tenant $1, in the order of their breaks after that of its case, and whose wallet got the money. */
export const decidedSql = `with ${breaksOfMoney}
  select d.amount::text as amount, d."isOwn", d.written_off::text as "writtenOff", d.charged::text as charged, d.account, d.holder from (
    select f.break_no, coalesce(${itsTransfer('f')} = ${itsTransfer('b')}, true) as "isOwn", f.amount, f.written_off, coalesce(w.available_change, 0.00) as charged, f.account, h.holder
    from b cross join h cross join lateral (select * from over union ${otherParts}) f
    left join wallet_entry w on w.merchant_id = h.holder and ${isChargeOf('f')} where ${isEnded('f')}
    union all
    select c.break_no, c."isOwn", c.amount, c.written_off, c.charged, null, c.holder from b cross join lateral (${endedCase}) c) d order by d.break_no`;
/** The merchant whose wallet a decision on the break $2 of the tenant $1 may move. */
export const holderSql = `with ${breaksOfMoney} select holder from h where holder is not null`;

/**
 * The credits of a merchant ($1) whose money is missing, with their wallet entries: it was only posted, so nobody bears it, or nobody has decided yet.
 * Settlements hold it. `held` is without what waits for an open day, `if_settled` with it: a credit may have been settled before its day was opened again.
 */
export const heldCreditsSql = `select least(coalesce(sum(held) filter (where not is_waiting), 0.00), max(left_of)) as held,
    least(sum(held), max(left_of)) as if_settled, entry_no from (
  select distinct on (c.name, y.merchant_id, p.nos) c.name, c.entry_no, ${isWaiting} as is_waiting, g.left as left_of, greatest(least(g.missing, case when ${isEnded('b')} then d.posted else g.missing end), 0.00) as held
  from ${missingOf("'missing_at_channel', 'amount', 'currency'")} and ${holderOf('b')} = $1 and b.state in ('open', 'posting', 'posted', 'written_off', 'charged')
  order by c.name, y.merchant_id, p.nos, ${isOpen} desc, ${isWaiting}) t group by name, entry_no`;
