import { isShownBy, isSuperseded, lastBreakSql, nextMatch, repetition } from '../files/queries.ts';
import { bankReferenceOf, contentOf, occurrenceOf, placeOf } from '../identity/queries.ts';
import { paymentsOf } from '../missing-credits/queries.ts';

// A file can show movements that other files of its account show already, or show them otherwise. Its lines are compared with those that count so far.
// All of it is one transaction.

const isOther = `p.merchant_id = n.merchant_id and p.channel_id = n.channel_id and p.state = 'imported' and p.file_no <> n.file_no`;

/** Whether another file of the channel $3 has days of the file $2, or was fetched for the same day. */
export const hasEarlierSql = `select from statement_file n join statement_file p on ${isOther}
    and (p.first_day <= n.last_day and p.last_day >= n.first_day or p.fetched_day = n.fetched_day)
  where n.merchant_id = $1 and n.file_no = $2 and n.channel_id = $3 limit 1`;

const columns = `file_no bigint, line_no integer, part integer, day date, type text, direction text, gross numeric, currency text, channel_ref text,
  order_no text, bank_ref text, settlement_ref text, content text, n bigint`;
export const createVersionTablesSql = `
create temp table replaced_period (place integer, file_no bigint, earlier_place integer, first_day date, last_day date, is_part boolean) on commit drop;
create temp table continued_day (file_no bigint, day date) on commit drop;
create temp table overlapping_statement (place integer, file_no bigint, earlier_place integer, day date, is_part boolean, is_whole boolean) on commit drop;
create temp table earlier_line (${columns}, is_matched boolean, is_again boolean, is_replaced boolean) on commit drop;
create temp table later_line (${columns}) on commit drop;
create temp table changed_line (file_no bigint, line_no integer, part integer, earlier_file_no bigint, earlier_line_no integer, earlier_part integer,
  is_matched boolean) on commit drop`;

/**
 * Statements `b` of other files of which `s`, a statement of the file $2, is a version. Both open on the same day with the same balance. Or a bank that
 * corrects a day sends the following days again: then `b` continues what the correction was made to, and `s` continues the correction.
 */
const versions = `with recursive version as (
    select b.file_no as earlier_file_no, b.place as earlier_place, s.file_no, s.place, 0 as days
    from statement_balance s join statement_balance b on b.merchant_id = s.merchant_id and b.channel_id = s.channel_id and b.file_no < s.file_no
      and b.first_day = s.first_day and b.opening = s.opening and b.closing <> s.closing
    where s.merchant_id = $1 and s.channel_id = (select channel_id from statement_file where merchant_id = $1 and file_no = $2)
      and s.first_day >= (select min(first_day) - 31 from statement_balance where merchant_id = $1 and file_no = $2)
    union
    select b.file_no, b.place, s.file_no, s.place, v.days + 1
    from version v
    join statement_balance e on e.merchant_id = $1 and e.file_no = v.earlier_file_no and e.place = v.earlier_place
    join statement_balance n on n.merchant_id = $1 and n.file_no = v.file_no and n.place = v.place
    join statement_balance b on b.merchant_id = $1 and b.channel_id = e.channel_id and b.opening = e.closing and b.first_day between e.last_day + 1 and e.last_day + 7
    join statement_balance s on s.merchant_id = $1 and s.channel_id = e.channel_id and s.opening = n.closing and s.first_day = b.first_day and s.file_no > b.file_no
    where v.days < 31)`;

/**
 * The periods of other files that the file $2 shows again from their beginning: the day for which both were fetched, and statements of which it has a version
 * (also of those before the last one: a line that several of them show counts in the first). `is_part`: it ends before the other one does.
 */
export const fillReplacedSql = `insert into replaced_period
  ${versions}
  select null, p.file_no, null, '-infinity', 'infinity', false from statement_file n join statement_file p on ${isOther}
    and p.format = n.format and p.fetched_day = n.fetched_day
  where n.merchant_id = $1 and n.file_no = $2
  union all
  select s.place, b.file_no, b.place, b.first_day, b.last_day,
    b.last_day > s.last_day or coalesce(n.covered_until, n.last_day) < least(b.last_day, coalesce(p.covered_until, p.last_day))
  from statement_balance s
  join statement_file n on n.merchant_id = s.merchant_id and n.file_no = s.file_no
  join statement_balance b on b.merchant_id = s.merchant_id and b.channel_id = s.channel_id and b.file_no <> s.file_no
    and b.first_day = s.first_day and (b.opening = s.opening or exists (
      select from version v where (v.file_no, v.place, v.earlier_file_no, v.earlier_place) = (s.file_no, s.place, b.file_no, b.place)))
  join statement_file p on p.merchant_id = b.merchant_id and p.file_no = b.file_no
  where s.merchant_id = $1 and s.file_no = $2`;

const place = (row: string): string => `(${row}.file_no, ${row}.place)`;
const isShared = (name: (line: string) => string): string => `exists (select from statement_line l
    join statement_line e on ${name('e')} = ${name('l')} and e.direction = l.direction
    where l.merchant_id = $1 and l.file_no = v.file_no and e.merchant_id = $1 and e.file_no = o.file_no)`;
/**
 * Whether a file has a statement between the same balances as one of which a row could not be read, and no statement of that day goes on from there. So it
 * is the same statement, although both may have no line in common.
 */
const isReadNow = `exists (select from statement_balance s
    join statement_balance b on b.merchant_id = s.merchant_id and b.channel_id = s.channel_id and (b.first_day, b.last_day, b.opening, b.closing)
      = (s.first_day, s.last_day, s.opening, s.closing)
    join statement_unparsed u on u.merchant_id = b.merchant_id and u.file_no = b.file_no
    where s.merchant_id = $1 and s.file_no = v.file_no and s.opening <> s.closing and (b.file_no, b.place) = (o.file_no, o.place)
      and not exists (select from statement_balance n where n.merchant_id = s.merchant_id and n.channel_id = s.channel_id and n.first_day = s.first_day
        and n.opening = s.closing))`;
/**
 * The balance of an account can come back to where it was earlier in the day, for example if the account is emptied several times. Then several statements of
 * the day open with it, and the one that leads from one to the next may come last. So of a statement of one day a file shows only that again of which it has
 * a line, and what this one showed again, or one of which it shows a row that could not be read. Otherwise nothing is withdrawn, and the balances tell what is missing.
 */
export const keepReturnedSql = `
  with recursive version as (
    select $2::bigint as file_no
    union
    select o.file_no from version v join replaced_period o on o.place is not null and o.file_no <> v.file_no
      and (${isShared((line) => `${line}.channel_ref`)} or ${isShared(bankReferenceOf)} or ${isShared(contentOf)} or ${isReadNow}))
  delete from replaced_period r where r.place is not null and r.first_day = r.last_day and r.file_no not in (select file_no from version)`;

const linesOf = (statement: string): string =>
  `statement_line l where l.merchant_id = $1 and l.file_no = ${statement}.file_no and l.day = ${statement}.first_day`;
const countOf = (statement: string): string => `(select count(*)::integer from ${linesOf(statement)})`;
/** The balances within a statement, line by line from the first or from the last one. `later`: the one after as many lines. */
const balancesWithin = (statement: string, lines: string): string => `(
  select r.balance, lead(r.balance, ${lines}) over (partition by r.way order by r.i) as later from (
    select v.way, 0 as i, ${statement}.opening as balance from (values (1), (-1)) v(way)
    union all
    select v.way, row_number() over w, ${statement}.opening + sum(case l.direction when 'in' then l.net else -l.net end) over w
    from (values (1), (-1)) v(way), ${linesOf(statement)} window w as (partition by v.way order by v.way * l.line_no, v.way * l.part)) r)`;
const contentsOf = (statement: string): string => `select ${contentOf('l')} from ${linesOf(statement)}`;
/** Whether a statement shows all of another one, and more: its lines, between the same balances. */
const isPartOf = (
  part: string,
  whole: string,
): string => `case when ${countOf(part)} between 1 and ${countOf(whole)} - 1
      and exists (select from ${balancesWithin(whole, countOf(part))} t where t.balance = ${part}.opening and t.later = ${part}.closing)
    then not exists (${contentsOf(part)} except all ${contentsOf(whole)}) else false end`;
/** Whether a statement goes through the opening balance of another one, and shows a line of it that has a reference. */
const isBegunIn = (
  part: string,
  whole: string,
): string => `case when exists (select from ${balancesWithin(whole, '1')} t where t.balance = ${part}.opening and t.later is not null)
    then exists (${contentsOf(part)} and coalesce(l.channel_ref, ${bankReferenceOf('l')}) is not null intersect ${contentsOf(whole)}) else false end`;
/**
 * Statements of the same day that show a part of what a statement of the file $2 shows, or the other way round, although they open with another balance. If
 * the day ends with the balance with which it began, its balances alone cannot tell them from statements that continue each other.
 */
export const fillOverlappingSql = `insert into overlapping_statement
  select s.place, b.file_no, b.place, s.first_day, o.is_part, o.is_whole
  from statement_balance s join statement_balance b on b.merchant_id = s.merchant_id and b.channel_id = s.channel_id and b.file_no <> s.file_no
    and b.first_day = s.first_day and b.last_day = b.first_day and b.opening <> s.opening
  cross join lateral (select ${isPartOf('b', 's')} as is_part, ${isPartOf('s', 'b')} as is_whole offset 0) o
  where s.merchant_id = $1 and s.file_no = $2 and s.last_day = s.first_day
    and (o.is_part or o.is_whole or ${isBegunIn('b', 's')} or ${isBegunIn('s', 'b')})`;
/** A part is shown again by the whole. $2: the file. */
export const useOverlappingSql = `with parts as (update statement_balance b set is_current = false from overlapping_statement o
    where o.is_whole and b.merchant_id = $1 and b.file_no = $2 and b.place = o.place)
  insert into replaced_period select o.place, o.file_no, o.earlier_place, o.day, o.day, false from overlapping_statement o where o.is_part`;

/**
 * The days of other files that a statement of the file $2 continues, or that continue it: one opens with the balance with which the other one closes on
 * that day. Their lines are other movements, even those that look alike. A statement whose balance did not change continues none that opens with it on the
 * same day: it may show that period again.
 */
export const fillContinuedSql = `insert into continued_day
  with recursive linked as (
    select s.*, 0 as way from statement_balance s where s.merchant_id = $1 and s.file_no = $2
    union
    select b.*, w.way from linked l join (values (-1), (1)) w(way) on l.way in (0, w.way)
    join statement_balance b on b.merchant_id = l.merchant_id and b.channel_id = l.channel_id and ${place('b')} <> ${place('l')} and b.opening <> b.closing
      and case w.way when -1 then b.closing = l.opening and b.last_day = l.first_day else b.opening = l.closing and b.first_day = l.last_day end)
  select file_no, case way when -1 then last_day else first_day end from linked l where way <> 0 and file_no <> $2
    and not exists (select from replaced_period r where r.file_no = l.file_no and coalesce(r.earlier_place, l.place) = l.place)
    and not exists (select from overlapping_statement o where o.file_no = l.file_no and o.earlier_place = l.place)`;

const copied = `l.file_no, l.line_no, l.part, l.day, l.type, l.direction, l.gross, l.currency, l.channel_ref, l.order_no, ${bankReferenceOf('l')},
  l.settlement_ref, ${contentOf('l')}`;
const inReplaced = `exists (select from replaced_period r where r.file_no = l.file_no and l.day between r.first_day and r.last_day and not r.is_part)`;
/** Whether a later version replaced what the file of a row shows of its day. */
const isOutdated = (row: string): string => `case
    when exists (select from statement_balance b where b.merchant_id = $1 and b.file_no = ${row}.file_no and ${row}.day between b.first_day and b.last_day)
    then not exists (select from statement_balance b where b.merchant_id = $1 and b.file_no = ${row}.file_no and ${row}.day between b.first_day and b.last_day and b.is_current)
    else exists (select from statement_file p join statement_file n on ${isOther} and n.format = p.format and n.fetched_day = p.fetched_day and n.file_no > p.file_no
      where n.merchant_id = $1 and p.file_no = ${row}.file_no and n.state = 'imported') end`;
const hasPlaceOf = (one: string, other: string): string =>
  `${one}.merchant_id = ${other}.merchant_id and ${one}.file_no = ${other}.file_no and ${one}.line_no = ${other}.line_no and ${one}.part = ${other}.part`;

/** Whether operators said that the line of the match `m` shows a movement again. */
const isRepetition = `m.rule is not distinct from '${repetition}'`;
/** A repetition of a line that is not matched is explained, but by nothing that was booked. */
const isBooked = `m.match_no is not null and not (${isRepetition} and not exists (select from matched_line o where o.merchant_id = $1 and o.match_no = m.match_no and o.rule <> '${repetition}'))`;
const isShownAgain = `${isRepetition} and ${isShownBy('l', 'm')}`;
/** The lines of the file $2, and those of other files of the channel $3 that count so far: of the same days, and of the periods that it shows again. */
export const fillLinesSql = [
  `insert into later_line select ${copied}, ${occurrenceOf('l')} from statement_line l where l.merchant_id = $1 and l.file_no = $2 and l.channel_id = $3`,
  `insert into earlier_line select ${copied}, ${occurrenceOf('l', isRepetition)}, ${isBooked}, ${isShownAgain}, ${inReplaced}
  from statement_line l
  join statement_file p on p.merchant_id = l.merchant_id and p.file_no = l.file_no and p.state = 'imported'
  left join matched_line m on ${hasPlaceOf('m', 'l')}
  where l.merchant_id = $1 and l.channel_id = $3 and l.file_no <> $2
    and (l.day = any(array(select distinct day from later_line)) or l.file_no = any(array(select file_no from replaced_period)) and ${inReplaced})
    and m.rule is distinct from 'same_line' and not exists (select from superseded_line s where ${hasPlaceOf('s', 'l')})
    and not exists (select from continued_day c where c.file_no = l.file_no and c.day = l.day)`,
] as const;
export const analyzeVersionsSql = 'analyze earlier_line, later_line';

/**
 * Locks the open breaks of earlier lines in the channel $3, as each decision about a break does first. So a line is decided on before its version is
 * compared, or after it was replaced.
 */
export const lockEarlierBreaksSql = `select from reconciliation_break b join statement_file n on n.merchant_id = b.merchant_id and n.file_no = $2
  where b.merchant_id = $1 and b.channel_id = $3 and b.state in ('open', 'posting') and b.part is not null and b.file_no <> n.file_no
    and (b.day between n.first_day and n.last_day or exists (select from replaced_period r where r.file_no = b.file_no))
  order by b.break_no for update of b`;

/**
 * A line that several files show counts as long as one of them does: one that no later version has replaced, and that the file $2 does not show again. $3: the
 * channel.
 */
export const countOnceShownSql = `
with copy as materialized (select l.file_no, l.day, ${contentOf('l')} as content, ${inReplaced} as is_replaced
  from statement_line l join matched_line m on ${hasPlaceOf('m', 'l')} and m.rule = 'same_line'
  where l.merchant_id = $1 and l.channel_id = $3 and l.file_no <> $2 and l.day = any(array(select distinct day from earlier_line))),
shown as (select c.content, bool_or(c.is_replaced) as is_replaced, bool_or(not c.is_replaced and not (${isOutdated('c')})) as counts
  from copy c where c.content in (select content from earlier_line) group by c.content)
update earlier_line e set is_replaced = not s.counts and (e.is_replaced or s.is_replaced and ${isOutdated('e')}) from shown s where s.content = e.content`;

const lineOf = (row: string): string => `(${row}.file_no, ${row}.line_no, ${row}.part)`;
const storeLater = (
  rule: string,
  of: string,
): string => `insert into matched_line (merchant_id, file_no, line_no, part, match_no, rule)
  select $1, p.file_no, p.line_no, p.part, b.no + row_number() over (), '${rule}' from ${of} p, base b`;

/** A line that is there already counts once: the earlier one keeps its match or its break. */
export const matchSameLinesSql = `
with ${nextMatch}, pair as (select l.file_no, l.line_no, l.part, e.file_no as f, e.line_no as n, e.part as p from later_line l join earlier_line e using (content, n)),
stored as (${storeLater('same_line', 'pair')}),
gone as (delete from later_line l using pair where ${lineOf('l')} = ${lineOf('pair')})
delete from earlier_line e using pair where ${lineOf('e')} = (pair.f, pair.n, pair.p)`;

/**
 * The entries of the match of the line `m`: what it was matched with, or what a decision had ended before its line came, or before its report came.
 */
const entriesOf = (
  m: string,
): string => `(select s.merchant_id, s.transfer_no from matched_expectation s where s.tenant = $1 and s.match_no = ${m}.match_no
    union select o.owner_id, o.transfer_no from reconciliation_break k join reconciliation_break o on o.merchant_id = k.merchant_id and o.break_no = k.answers
      where k.merchant_id = $1 and k.break_no = -${m}.match_no and o.owner_id is not null
    union select o.owner_id, o.transfer_no from reconciliation_break o where o.merchant_id = $1 and o.answers = -${m}.match_no and o.owner_id is not null
      and o.state not in ('matched', 'linked'))`;
/** Whether a decision explained the line of the match `m`, and the ledger has no entry of it. */
const isEntryless = (m: string): string => `not exists (select from ${entriesOf(m)} s)`;
/** Whether the line `l` is in the tenant's currency, and the earlier one `e` was in another one: nothing was booked for it, and no entry is known. */
const isInOurs = `(l.currency <> e.currency and l.currency = (select t.currency from merchant t where t.merchant_id = $1)
    and exists (select from matched_line m where m.merchant_id = $1 and ${lineOf('m')} = ${lineOf('e')} and ${isEntryless('m')}))`;

/** By what a changed line is found, the strongest first. Only a version of the same period can be compared by our order number. */
const names = [
  { of: "channel_ref || ' ' || order_no", isOrder: false },
  { of: "bank_ref || ' ' || order_no", isOrder: false },
  { of: 'channel_ref', isOrder: false },
  { of: 'bank_ref', isOrder: false },
  { of: 'order_no', isOrder: true },
] as const;
/** The orders of the line `e`: what it names, and what its match is about. */
const ordersOf = `array_remove(array(select o.order_no from matched_line m join matched_expectation s on s.tenant = $1 and s.match_no = m.match_no
    join statement_expectation o on o.merchant_id = s.merchant_id and o.transfer_no = s.transfer_no
    where m.merchant_id = $1 and ${lineOf('m')} = ${lineOf('e')}) || e.order_no, null)`;
/** One reference can pay several orders. A correction that names another order gives the match of the earlier line up. */
const mayBeSameOrder = `(l.order_no is null or l.order_no = any(${ordersOf}) or ${ordersOf} = '{}')`;
const isFound = (row: string): string => `exists (select from changed_line c where ${row})`;

/**
 * A movement that the file shows otherwise. $1: the tenant. What is there several times under one name, with different contents, is found only within a version of the
 * same period.
 */
export const findChangedLinesSql: readonly string[] = names.map(({ of, isOrder }) => {
  const named = (table: string, found: string): string =>
    `(select *, ${of} as name, row_number() over (partition by ${of}, type, direction order by file_no, line_no, part) as nth,
      count(*) over (partition by ${of}, type, direction) as alike from ${table} t where ${of} is not null and not ${isFound(found)})`;
  return `insert into changed_line
  select l.file_no, l.line_no, l.part, e.file_no, e.line_no, e.part, e.is_matched and not e.is_again and not ${isInOurs}
  from ${named('later_line', `${lineOf('c')} = ${lineOf('t')}`)} l
  join ${named('earlier_line', `(c.earlier_file_no, c.earlier_line_no, c.earlier_part) = ${lineOf('t')}`)} e using (name, type, direction, nth)
  where (e.is_replaced${isOrder ? '' : ' or l.alike = 1 and e.alike = 1'}) and ${mayBeSameOrder}`;
});

const inPeriod = (
  file: string,
): string => `select ${contentOf('l')} from statement_line l where l.merchant_id = $1 and l.file_no = ${file}
    and l.day between r.first_day and least(r.last_day, s.last_day)`;
/**
 * A statement that has only a part of one that opens with the same balance and counts, and nothing else of its period, withdraws nothing: it may be the older one, unless it is longer. It does not count in the
 * chain of balances, except if it shows what the other one has not: then the two contradict each other. What other files have of the period says nothing about these two. $2: the file.
 */
export const keepWholeSql = `
with old as (select distinct r.place from replaced_period r
  join statement_balance b on b.merchant_id = $1 and b.file_no = r.file_no and b.place = r.earlier_place and b.is_current
  join statement_balance s on s.merchant_id = $1 and s.file_no = $2 and s.place = r.place and s.opening = b.opening and s.last_day <= b.last_day
  where not exists (${inPeriod('$2')} except all ${inPeriod('r.file_no')}) and exists (${inPeriod('r.file_no')} except all ${inPeriod('$2')})),
kept as (delete from replaced_period r where r.is_part or r.place in (select place from old) returning r.file_no, r.place, r.first_day, r.last_day),
parts as (update statement_balance s set is_current = false from kept r where s.merchant_id = $1 and s.file_no = $2 and s.place = r.place
  and not exists (${inPeriod('$2')} except all ${inPeriod('r.file_no')}))
update earlier_line e set is_replaced = false from kept k where e.file_no = k.file_no and e.day between k.first_day and k.last_day`;

/** Statements that the file shows again do not count in the chain of balances any more. */
export const replaceBalancesSql = `update statement_balance b set is_current = false from replaced_period r
  where b.merchant_id = $1 and b.is_current and b.file_no = r.file_no and (r.place is null or b.place = r.earlier_place)`;

/** The new line of a matched movement takes over the match of the earlier one. That of one that is not matched is matched like any other. */
export const matchChangedLinesSql = `insert into matched_line (merchant_id, file_no, line_no, part, match_no, rule)
  select $1, c.file_no, c.line_no, c.part, m.match_no, 'corrected_line' from changed_line c
  join matched_line m on m.merchant_id = $1 and (m.file_no, m.line_no, m.part) = (c.earlier_file_no, c.earlier_line_no, c.earlier_part) where c.is_matched`;

const sign = (row: string): string => `(case ${row}.direction when 'in' then 1 else -1 end)`;
/** Whether the match `m` of the line is of an entry of its own direction: the ledger has what it shows. A line that takes a booking back has none. */
export const hasOwnEntry = (line: string): string => `exists (select from ${entriesOf('m')} s
    join statement_expectation o on o.merchant_id = s.merchant_id and o.transfer_no = s.transfer_no and o.direction = ${line}.direction)`;
/** How many entries these are. Payments of one order are counted together. */
const countOfEntries = (entries: string): string => `(select count(distinct p.nos) from ${entries} t
    join statement_expectation y on y.merchant_id = t.merchant_id and y.transfer_no = t.transfer_no cross join lateral ${paymentsOf('y')} p)`;
const isOnlyEntry = `1 = ${countOfEntries(entriesOf('m'))}`;
const isChanged = isFound(`(c.earlier_file_no, c.earlier_line_no, c.earlier_part) = ${lineOf('e')}`);
/** Whether the line `e` was matched, and the new version does not have it any more. */
const isGone = `e.is_matched and e.is_replaced and not ${isChanged}`;
/** Lines that leave their matches: those that are gone, and repetitions that are matched like any other line from now on. */
const leaving = `select e.file_no, e.line_no, e.part from earlier_line e where e.is_replaced and not ${isChanged} or e.is_again and ${isChanged}`;
/** Whether no line of the match of the gone line `m` counts, and the match is of one entry. So a later line can take the match over. */
const isLastLine = `w.amount <> 0 and ${isOnlyEntry} and not exists (select from matched_line t where t.merchant_id = $1 and t.match_no = m.match_no
    and (t.file_no, t.line_no, t.part) not in (${leaving}) and not ${isSuperseded('t')})`;
/** Adds breaks over earlier matched lines. They are of what the ledger has of the line: its only entry, or the one of its amount. */
export const addBreaks = (
  subject: 'correction' | 'withdrawn',
  rows: string,
): string => `insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount, file_no, line_no, order_no, owner_id, transfer_no, match_no)
  select $1, ${lastBreakSql} + row_number() over (order by w.day, w.file_no, w.line_no, w.part), $2, w.day,
    '${subject} ' || ${placeOf('w')}, w.kind, w.amount, w.file_no, w.line_no, coalesce(w.order_no, x.order_no), x.merchant_id, x.transfer_no,
    ${subject === 'withdrawn' ? 'coalesce(x.match_no, a.match_no)' : 'null::bigint'}
  from (${rows}) w
  left join lateral (select o.merchant_id, o.transfer_no, o.order_no, ${subject === 'withdrawn' ? `case when ${isLastLine} then m.match_no end` : 'null::bigint'} as match_no
    from matched_line m cross join lateral ${entriesOf('m')} s
    join statement_expectation o on o.merchant_id = s.merchant_id and o.transfer_no = s.transfer_no
    where m.merchant_id = $1 and (m.file_no, m.line_no, m.part) = (w.of_file, w.of_line, w.of_part) and o.direction = w.direction
      and (o.amount = w.gross or ${isOnlyEntry})
    order by o.amount <> w.gross, o.transfer_no limit 1) x on true${
      subject === 'withdrawn'
        ? `
  left join matched_line a on a.merchant_id = $1 and (a.file_no, a.line_no, a.part) = (w.of_file, w.of_line, w.of_part) and w.amount <> 0 and ${isEntryless('a')}`
        : ''
    }`;
const ofEarlier = 'e.file_no as of_file, e.line_no as of_line, e.part as of_part, e.direction, e.gross';
const differ = (column: string): string => `l.${column} <> e.${column}`;

/**
 * Breaks of matched lines that are changed: the line less what counted so far. $3: the tenant's currency. What a line was charged is compared by day. A
 * reference that only one of both has is no difference.
 */
export const addChangedBreaksSql = addBreaks(
  'correction',
  `select l.day, l.file_no, l.line_no, l.part, coalesce(l.order_no, e.order_no) as order_no, case l.currency when $3 then 'amount' else 'currency' end as kind,
      ${ofEarlier},
      (case l.currency when $3 then l.gross else 0 end - case e.currency when $3 then e.gross else 0 end) * ${sign('l')} as amount
    from changed_line c join later_line l using (file_no, line_no, part)
    join earlier_line e on ${lineOf('e')} = (c.earlier_file_no, c.earlier_line_no, c.earlier_part)
    where c.is_matched and (${['gross', 'currency', 'day', 'channel_ref', 'order_no', 'bank_ref', 'settlement_ref'].map(differ).join(' or ')})`,
);

/** Whether another line of the match `m` still shows the movement of the gone line `e`: one of both repeats the other one, and nothing was booked for it. */
const isStillShown = `exists (select from matched_line t join statement_line o on ${hasPlaceOf('o', 't')}
    where t.merchant_id = $1 and t.match_no = m.match_no and '${repetition}' in (t.rule, m.rule) and o.direction = e.direction
      and (o.gross = e.gross or m.rule = '${repetition}' and t.rule = 'corrected_line')
      and ${lineOf('t')} not in (${leaving}) and not ${isSuperseded('t')})`;
/** What is gone with the line `e`. $3: the tenant's currency. Those of a match with one entry belong together, and so do those that were linked. */
const goneOf = `select e.*, -(case e.currency when $3 then e.gross else 0 end) * ${sign('e')} as own, m.match_no, m.rule,
    case when 1 < ${countOfEntries('(select * from matched_expectation s where s.tenant = $1 and s.match_no = m.match_no)')}
      or m.rule <> 'linked' and ${isEntryless('m')} then ${lineOf('e')}::text end as alone,
    row_number() over (partition by m.match_no, e.direction, e.gross order by m.rule = '${repetition}', e.file_no, e.line_no, e.part) as nth
  from earlier_line e join matched_line m on m.merchant_id = $1 and ${lineOf('m')} = ${lineOf('e')} where ${isGone} and not ${isStillShown}`;
/**
 * Breaks of matched lines that the new version does not have any more: one over what all such lines of a match come to. If a later file has such a line again,
 * it takes over the match.
 */
export const addMissingBreaksSql = addBreaks(
  'withdrawn',
  `select distinct on (e.match_no, e.alone) e.day, e.file_no, e.line_no, e.part, e.order_no, ${ofEarlier}, 'missing_at_channel' as kind, e.amount
    from (select g.*, sum(g.own) over same as amount, count(*) over same as alike from (${goneOf}) g where g.rule <> '${repetition}' or g.nth = 1
      window same as (partition by g.match_no, g.alone)) e
    where e.amount <> 0 or e.alike = 1 order by e.match_no, e.alone, e.own * sign(e.amount) desc, e.file_no, e.line_no, e.part`,
);

/** Lines that the version $2 shows otherwise, or not at all, count no more. */
export const supersedeLinesSql = `insert into superseded_line (merchant_id, file_no, line_no, part, by_file_no)
  select $1, file_no, line_no, part, $2 from earlier_line e where e.is_replaced or ${isChanged}`;

/** The days of the lines that the version $2 of the channel $3 supersedes lose them, and are matched again. $4: the tenant's currency. */
export const uncountSupersededSql = `update reconciliation_day d set is_due = d.is_due or d.is_covered, lines = d.lines - g.lines, statement_net = d.statement_net - g.net
  from (select l.day, count(*)::integer as lines, coalesce(sum(case l.direction when 'in' then l.net else -l.net end) filter (where l.currency = $4), 0) as net
    from superseded_line s join statement_line l using (merchant_id, file_no, line_no, part) where s.merchant_id = $1 and s.by_file_no = $2 group by 1) g
  where d.merchant_id = $1 and d.channel_id = $3 and d.day = g.day`;

/** The files that the file $2 shows again as a whole. */
const shownAgain = `select f.file_no from replaced_period r join statement_file f on f.merchant_id = $1 and f.file_no = r.file_no group by f.file_no, f.first_day, f.last_day
    having f.first_day >= min(r.first_day) and f.last_day <= max(r.last_day)`;
/** Breaks over rows of these files: rows that cannot be read, and what lines in another currency changed in the balance. */
const uncountedBreaks = `b.merchant_id = $1 and (b.kind = 'unparsed' or b.subject = 'balance ' || b.file_no) and b.file_no in (${shownAgain})`;
/** Such rows count no more. */
export const endUncountedSql = `update reconciliation_break b set state = 'matched', closed_at = clock_timestamp() where ${uncountedBreaks} and b.state = 'open'`;

const foreignOf = (file: string): string =>
  `select ${contentOf('l')} from statement_line l where l.merchant_id = $1 and l.file_no = ${file} and l.currency <> $3`;
/** Other files of days of the file $2 that still count, and what their lines in another currency changed in the balance. A day that continues is another one. */
const alsoForeign = `select p.file_no, b.amount from statement_file n join statement_file p on ${isOther} and p.first_day <= n.last_day and p.last_day >= n.first_day
  join reconciliation_break b on b.merchant_id = $1 and b.subject = 'balance ' || p.file_no and b.state <> 'matched'
  where n.merchant_id = $1 and n.file_no = $2 and p.file_no not in (${shownAgain})
    and not exists (select from continued_day c join statement_line l on l.merchant_id = $1 and l.file_no = c.file_no and l.day = c.day and l.currency <> $3 where c.file_no = p.file_no)`;
/**
 * What was booked for the rows of files that the file $2 shows again as a whole, and what counts in others of which it has all lines in another currency, $3
 * being the tenant's. `isPart`: whether all of its own such rows count already, because the file is a part of another one, or another one has them all.
 */
export const uncountedSql = `with o as (${alsoForeign})
  select ((select coalesce(sum(b.amount), 0.00) from reconciliation_break b where ${uncountedBreaks} and b.state = 'written_off')
    + (select coalesce(sum(o.amount), 0.00) from o where not exists (${foreignOf('o.file_no')} except all ${foreignOf('$2')})))::text as booked,
  exists (select from statement_balance b where b.merchant_id = $1 and b.file_no = $2 and not b.is_current)
    or not exists (select from statement_unparsed u where u.merchant_id = $1 and u.file_no = $2) and exists (${foreignOf('$2')})
      and not exists (select from reconciliation_break b where ${uncountedBreaks})
      and exists (select from o where not exists (${foreignOf('$2')} except all ${foreignOf('o.file_no')})) as "isPart"`;
