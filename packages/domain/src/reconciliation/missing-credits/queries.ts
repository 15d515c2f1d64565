import { restPrefix } from '../../core/refund.ts';
import { isShownBy, isSuperseded, repetition } from '../files/queries.ts';
import { placeOf } from '../identity/queries.ts';

// Credits whose money is missing: what a merchant's wallet got of it, and what somebody bears of it already. All breaks over one credit share it.

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
/** The breaks over the entry `y`, an expectation: those that carry it, and breaks of lines that show its money after it was missing, or before it was known. */
export const breaksOver = (y: string): string => {
  const its = `x.merchant_id = ${y}.tenant and x.owner_id = ${y}.merchant_id and x.transfer_no = ${y}.transfer_no`;
  return `(select x.* from reconciliation_break x where ${its}
    union select a.* from reconciliation_break x join reconciliation_break a on a.merchant_id = x.merchant_id and a.answers = x.break_no where ${its} and ${isEnded('x')}
    union select a.* from reconciliation_break x join reconciliation_break a on a.merchant_id = x.merchant_id and a.break_no = x.answers
      where ${its} and x.state not in ('matched', 'linked')
    union select a.* from reconciliation_break x join matched_line k on k.merchant_id = x.merchant_id and k.match_no = -x.answers
      join reconciliation_break a on a.merchant_id = k.merchant_id and a.subject ${isOver('k')} where ${its} and x.state not in ('matched', 'linked'))`;
};
/**
 * The entries that share their money with the entry `y`: it, and the payments of its order in its direction over which there are breaks too. A line names the order, so
 * what it shows beyond one of them is money of another one.
 */
export const sharingWith = (y: string): string => `(select s.* from statement_expectation s
  where s.merchant_id = ${y}.merchant_id and s.tenant = ${y}.tenant and s.channel_id = ${y}.channel_id and s.direction = ${y}.direction
    and s.transfer_no in (select ${y}.transfer_no union select t.transfer_no from transfer t
      join reconciliation_break x on x.merchant_id = ${y}.tenant and x.owner_id = t.merchant_id and x.transfer_no = t.transfer_no and x.state not in ('matched', 'linked')
      where t.merchant_id = ${y}.merchant_id and t.order_no = ${y}.order_no))`;
const entryOf = (row: string, y: string): string =>
  `${y}.merchant_id = ${row}.owner_id and ${y}.transfer_no = ${row}.transfer_no`;
/** The entry by which a wallet paid for the break `f`, or got it back. */
const isChargeOf = (f: string): string => `w.booking_no = 'BREAK/' || ${f}.merchant_id || '/' || ${f}.break_no`;
/** What the wallet of the break `b` paid for breaks over the credit of the expectation `e`, less what it got back. */
const chargedOf = `(select coalesce(-sum(w.available_change), 0.00) from (
    select distinct f.merchant_id, f.break_no from reconciliation_break x join statement_expectation s on ${isCreditOf('s', 'x')}
    join statement_expectation z on ${entryOf('x', 'z')} cross join lateral ${breaksOver('z')} f
    where ${holderOf('x')} = ${holderOf('b')} and x.state = 'charged' and x.amount < 0 and (s.order_no = e.order_no or s.transfer_no = e.transfer_no)) f
  join wallet_entry w on w.merchant_id = ${holderOf('b')} and ${isChargeOf('f')})`;

/** Whether the line `l` of the match `k` only shows money again that another line shows, if need be the first of several repetitions. */
const showsAgain = `(k.rule = '${repetition}' and ${isShownBy('l', 'k', `(t.rule <> '${repetition}' or (t.file_no, t.line_no, t.part) < (k.file_no, k.line_no, k.part))`)})`;
const isOpen = `b.state in ('open', 'posting')`;
/** Whether the break is not decided yet, and the day of its entry `y` is open: its credit waits for the day, unless it was settled before the day was opened again. */
const isWaiting = `(${isOpen} and not exists (select from reconciliation_day o
    where o.merchant_id = y.tenant and o.channel_id = y.channel_id and o.day = y.day and o.state = 'closed'))`;

/**
 * A value of entries that share their money: above zero for what is missing, borne or posted of the one. Below zero, something was shown or given back beyond it: that
 * much of the others has it, the first one first. `value` is a column of `sums`.
 */
const sharedOf = (value: string): string => {
  const own = `greatest(e.${value}, 0.00)`;
  const beyond = `(sum(${own}) over (partition by e.money) - greatest(a.${value}, 0.00))`;
  const before = `(sum(${own}) over (partition by e.money order by e.transfer_no) - ${own})`;
  return `${own} - least(${own}, greatest(${beyond} - ${before}, 0.00)) as ${value}`;
};

/**
 * The breaks of these `kinds` over money that was credited, as `missing`: what is `missing` of the credit, what of it is only `posted`, and what the wallet has `left_of` it.
 * `breaks`: the breaks `b`, as SQL. Whatever is summed up is summed up twice: over each entry (`one`), and over all that share their money (`one` is null).
 */
const missingOf = (breaks: string, kinds: string): string => `found as materialized (
  select b.merchant_id as tenant, b.break_no, b.state, ${isWaiting} as is_waiting, ${holderOf('b')} as holder, y.merchant_id, y.transfer_no, y.channel_id, y.direction, y.order_no,
    coalesce('order ' || y.order_no, 'transfer ' || y.transfer_no) || ' ' || y.merchant_id || ' ' || y.direction || ' ' || ${holderOf('b')} as money,
    c.name, c.entry_no, greatest(c.most - ${chargedOf}, 0.00) as left_of
  from ${breaks} join statement_expectation e on ${isCreditOf('e', 'b')} and e.direction = 'in'
  join statement_expectation y on ${entryOf('b', 'y')} cross join lateral ${creditOf} c
  where b.amount < 0 and b.kind in (${kinds})),
entry as (select distinct f.money, f.holder, s.merchant_id, s.transfer_no, s.tenant, s.direction, s.amount, g.one
  from found f cross join lateral ${sharingWith('f')} s cross join lateral (values (s.transfer_no), (null)) g(one)),
decision as (select distinct e.money, e.one, e.holder, f.merchant_id, f.break_no, f.amount, f.written_off from entry e cross join lateral ${breaksOver('e')} f where ${isEnded('f')}),
explained as (select e.money, e.one, e.tenant, m.match_no from entry e join matched_expectation m on m.merchant_id = e.merchant_id and m.transfer_no = e.transfer_no
  union select d.money, d.one, d.merchant_id, -d.break_no from decision d),
-- What the lines that count now show of it: they and the entries are explained by the same matches. A line of an open break counts as well.
line as (
  select x.money, x.one, l.file_no, l.line_no, l.part from explained x join matched_line k on k.merchant_id = x.tenant and k.match_no = x.match_no
  join statement_line l on l.merchant_id = k.merchant_id and l.file_no = k.file_no and l.line_no = k.line_no and l.part = k.part where not ${showsAgain}
  union select e.money, e.one, x.file_no, x.line_no, x.part from entry e join reconciliation_break x on x.merchant_id = e.tenant and x.owner_id = e.merchant_id and x.transfer_no = e.transfer_no
    and x.state = 'open'),
movement as (
  select e.money, e.one, e.merchant_id, e.transfer_no::text as place, e.direction, e.amount from entry e
  union select x.money, x.one, s.merchant_id, s.transfer_no::text, t.direction, t.amount from explained x join matched_expectation s on s.tenant = x.tenant and s.match_no = x.match_no
    join statement_expectation t on t.merchant_id = s.merchant_id and t.transfer_no = s.transfer_no
  union select i.money, i.one, '', ${placeOf('i')}, l.direction, -l.gross from line i join (select distinct money, tenant from found) f using (money)
    join statement_line l on l.merchant_id = f.tenant and l.file_no = i.file_no and l.line_no = i.line_no and l.part = i.part
    where not ${isSuperseded('l')} and l.currency = (select o.currency from merchant o where o.merchant_id = f.tenant)),
sums as (select g.money, g.one, least(u.unshown, g.amount) as unshown, d.posted, d.charged, d.written_off
  from (select money, one, direction, sum(amount) as amount from entry group by 1, 2, 3) g
  cross join lateral (select sum(m.amount * case when m.direction = g.direction then 1 else -1 end) as unshown from movement m where m.money = g.money and m.one is not distinct from g.one) u
  cross join lateral (select -coalesce(sum(f.amount - f.written_off - coalesce(w.available_change, 0.00)), 0.00) as posted,
      -coalesce(sum(w.available_change), 0.00) as charged, -coalesce(sum(f.written_off), 0.00) as written_off
    from decision f left join wallet_entry w on w.merchant_id = f.holder and ${isChargeOf('f')} where f.money = g.money and f.one is not distinct from g.one) d),
shared as (select e.money, e.transfer_no, ${['unshown', 'posted', 'charged', 'written_off'].map(sharedOf).join(', ')}
  from (select s.*, s.one as transfer_no from sums s where s.one is not null) e join sums a on a.money = e.money and a.one is null),
missing as (select f.*, greatest(s.unshown - s.charged - s.written_off, 0.00) as missing, s.posted from found f join shared s using (money, transfer_no))`;
const missingAmounts = "'missing_at_channel', 'amount'";

/** What may be charged for a break ($2 of the tenant $1). */
export const missingCreditSql = `with ${missingOf('(select * from reconciliation_break where merchant_id = $1 and break_no = $2) b', missingAmounts)}
  select missing::text as missing, left_of::text as left from missing`;
/** Of the breaks $2 of tenants $1 those of whose credit the wallet still has something that is missing. */
export const creditedBreaksSql = `with ${missingOf(
  '(select o.* from unnest($1::text[], $2::bigint[]) as k(tenant, no) join reconciliation_break o on o.merchant_id = k.tenant and o.break_no = k.no) b',
  missingAmounts,
)}
  select tenant as "merchantId", break_no::float8 as "breakNo" from missing where least(missing, left_of, case when state = 'open' then missing else posted end) > 0`;

/**
 * The breaks of the match of the line that the break `b` is over, or the one that it answers, if no entry is known: the decision that explained the line, and
 * what changed since.
 */
const breaksOfMatch = `(with its as (select m.* from b join reconciliation_break o on o.merchant_id = b.merchant_id and o.break_no in (b.break_no, b.answers)
    join matched_line m on m.merchant_id = o.merchant_id and m.file_no = o.file_no and m.line_no = o.line_no and o.subject ${isOver('m')}),
  over as (select f.* from its join matched_line k on k.merchant_id = its.merchant_id and k.match_no = its.match_no
    join reconciliation_break f on f.merchant_id = k.merchant_id and f.subject ${isOver('k')})
  select f.* from its join reconciliation_break f on f.merchant_id = its.merchant_id and f.break_no = -its.match_no
  union select * from over union select a.* from over f join reconciliation_break a on a.merchant_id = f.merchant_id and a.answers = f.break_no)`;
/** Whether the expectation `y` is that of the wallet's entry `w`: equal ones of one moment are in one order. */
const isMoved = `w.created_at = y.posted_at
    and (select count(*) from wallet_entry o where o.merchant_id = w.merchant_id and o.created_at = w.created_at and o.available_change = w.available_change
      and o.counter = w.counter and o.booking_no is not null and o.entry_no < w.entry_no)
    = (select count(*) from statement_expectation o where o.tenant = y.tenant and o.channel_id = y.channel_id
      and o.day between y.posted_at::date - 1 and y.posted_at::date + 1 and o.merchant_id = y.merchant_id and o.posted_at = y.posted_at and o.amount = y.amount
      and o.direction = y.direction and o.cause = y.cause and o.transfer_no < y.transfer_no)`;
/** The breaks over the top-up that the entry of the break `b` takes back, if a merchant was charged it before. */
const breaksOfReversed = `(select f.* from y
  join reconciliation_break x on ${holderOf('x')} = y.merchant_id and x.state = 'charged' and x.amount < 0
  join statement_expectation z on ${entryOf('x', 'z')} and z.cause = 'top_up' and z.amount = y.amount
  join wallet_entry w on w.merchant_id = y.merchant_id and w.booking_no = 'REVERSAL/' || z.bank_ref and ${isMoved}
  cross join lateral ${breaksOver('z')} f where y.direction = 'out')`;
/** The break `b` ($2 of the tenant $1), the entry `y` of it or of the one that it answers, the breaks over the same money, and whose wallet got it. */
const sameMoney = `b as materialized (select * from reconciliation_break where merchant_id = $1 and break_no = $2),
y as materialized (select y.* from b join reconciliation_break o on o.merchant_id = b.merchant_id and o.break_no in (b.break_no, b.answers)
  join statement_expectation y on ${entryOf('o', 'y')} limit 1),
payment as materialized (select s.*, s.transfer_no = y.transfer_no as is_own from y cross join lateral ${sharingWith('y')} s),
over as materialized (select f.*, p.is_own, p.transfer_no as about from payment p cross join lateral ${breaksOver('p')} f
  union select f.*, true, null from ${breaksOfReversed} f
  union select f.*, true, null from ${breaksOfMatch} f where not exists (select from y)),
holder as (select coalesce(max(credited_id), max(owner_id)) as holder from over)`;
/**
 * What a case had decided over the entry of the break `b`, money that left and that nobody had asked for: its merchant was charged, or the platform bears it. What
 * came back is borne no more.
 */
const endedCase = `select 0 as break_no, c.merchant_id as holder, -(c.amount - c.came_back) as amount, case c.state when 'charged' then -(c.amount - c.came_back) else 0.00 end as charged,
    case c.state when 'charged' then 0.00 else -(c.amount - c.came_back) end as written_off
  from y join money_case c on c.merchant_id = y.merchant_id and c.opened_at = y.posted_at and c.amount = y.amount
    and coalesce(c.reference = y.channel_ref, true) and c.state in ('charged', 'written_off') where y.direction = 'out' limit 1`;
/**
 * The decisions over the money of the break $2 of the tenant $1, in the order of their breaks after that of its case, and whose wallet got it. Each says about which
 * entry it is: null if that is the break's own. Breaks that answer the same one are over other parts of the money.
 */
export const decidedSql = `with ${sameMoney},
decision as (select f.merchant_id, f.break_no, f.amount, f.written_off, f.account, case when not bool_or(f.is_own) then min(f.about) end as about from (
  select * from over union select f.*, true, null from b join reconciliation_break f on f.merchant_id = b.merchant_id and f.answers = b.answers) f where ${isEnded('f')} group by 1, 2, 3, 4, 5)
select d.amount::text as amount, d.written_off::text as "writtenOff", d.charged::text as charged, d.account, d.about::text as about, d.holder from (
  select f.break_no, f.amount, f.written_off, coalesce(w.available_change, 0.00) as charged, f.account, f.about, h.holder
  from decision f cross join holder h left join wallet_entry w on w.merchant_id = h.holder and ${isChargeOf('f')}
  union all
  select c.break_no, c.amount, c.written_off, c.charged, null, null, c.holder from (${endedCase}) c) d order by d.break_no`;
/** The merchant whose wallet a decision on the break $2 of the tenant $1 may move. */
export const holderSql = `with ${sameMoney} select holder from holder where holder is not null`;

/**
 * The credits of a merchant ($1) whose money is missing, with their wallet entries: it was only posted, so nobody bears it, or nobody has decided yet.
 * Settlements hold it. `held` is without what waits for an open day, `if_settled` with it: a credit may have been settled before its day was opened again.
 */
export const heldCreditsSql = `with ${missingOf(
  `(select * from reconciliation_break b where ${holderOf('b')} = $1 and b.state in ('open', 'posting', 'posted', 'written_off', 'charged')) b`,
  "'missing_at_channel', 'amount', 'currency'",
)}
  select least(coalesce(sum(held) filter (where not is_waiting), 0.00), max(left_of)) as held, least(sum(held), max(left_of)) as if_settled, entry_no from (
    select distinct on (name, merchant_id, transfer_no) name, entry_no, is_waiting, left_of, case when ${isEnded('f')} then least(missing, posted) else missing end as held
    from missing f order by name, merchant_id, transfer_no, state in ('open', 'posting') desc) t group by name, entry_no`;
