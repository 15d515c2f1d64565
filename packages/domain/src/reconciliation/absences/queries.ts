import { namesOf } from '../breaks/queries.ts';
import { isOnClosedDay } from '../days/queries.ts';
import { lastBreakSql } from '../files/queries.ts';
import { movementOf, placeOf } from '../identity/queries.ts';

// A decision explained a line, and the ledger has no entry of it: a settlement or a fee, for example. If a later version does not have the line any more, that is
// an absence. It is known by its line alone: by its movement, and by the settlement or bank file that the line names.

/** By what a line shows an absence again. The columns are those of both below. */
const movement = "type || ' ' || movement";
export const absenceKeys = [movement, "case when type <> 'fee' then names end"] as const;

/** The breaks `b` of the channel $2 of the tenant $1 that are absences in one of these states, with their lines. `direction`: of the money that is gone. */
export const absencesIn = (
  state: string,
): string => `select b.subject, b.break_no, b.match_no, b.day, b.state, b.amount as difference, abs(b.amount) as amount,
    case when b.amount < 0 then 'in' else 'out' end as direction, l.type, ${movementOf('l')} as movement, ${namesOf()} as names
  from reconciliation_break b join statement_line l on l.merchant_id = b.merchant_id and l.file_no = b.file_no and l.line_no = b.line_no
    and b.subject = 'withdrawn ' || ${placeOf('l')}
  where b.merchant_id = $1 and b.channel_id = $2 and b.match_no is not null and b.owner_id is null and ${state}`;

/** The open lines, as far as they can show an absence. `among`: a query, of which there has to be a row. */
export const linesThatShow = (
  among: string,
): string => `select l.file_no, l.line_no, l.part, l.day, l.order_no, not o.is_closed as may_match, l.direction, l.gross as amount, l.type,
    ${movementOf('l')} as movement, ${namesOf()} as names
  from open_line o join statement_line l on l.merchant_id = $1 and l.file_no = o.file_no and l.line_no = o.line_no and l.part = o.part
    and l.currency = (select m.currency from merchant m where m.merchant_id = $1)
  where exists (${among})`;

const isAnswered = `exists (select from reconciliation_break o where o.merchant_id = $1 and o.answers = a.break_no and o.state in ('posted', 'written_off'))`;
/** The open absences. Each step of matching takes off those that are shown again. Of those that were answered in part only the rest can be answered. */
export const createAbsencesSql = `create temp table open_absence (subject text, match_no bigint, day date, may_match boolean, difference numeric, amount numeric,
  direction text, type text, movement text, names text) on commit drop`;
export const fillAbsencesSql = `insert into open_absence
  select a.subject, a.match_no, a.day, not ${isOnClosedDay('a')} and not ${isAnswered}, a.difference, a.amount, a.direction, a.type, a.movement, a.names from (${absencesIn("b.state = 'open'")}) a`;

/** Stores the matches of the lines `pair`, and takes both off the open ones. What differs is a break. $1 and $2: tenant and channel. */
export const takeOver = (pair: string, takenOff: string): string => `${pair},
stored as (insert into matched_line (merchant_id, file_no, line_no, part, match_no, rule)
  select $1, p.file_no, p.line_no, p.part, p.of_match, 'corrected_line' from pair p),
changed as (insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount, file_no, line_no, order_no, owner_id, transfer_no)
  select $1, ${lastBreakSql} + row_number() over (order by p.day, p.file_no, p.line_no, p.part), $2, p.day,
    'correction ' || ${placeOf('p')}, 'amount', p.difference, p.file_no, p.line_no, p.order_no, p.merchant_id, p.transfer_no from pair p where p.difference <> 0),
gone as (delete from open_line o using pair p where (o.file_no, o.line_no, o.part) = (p.file_no, p.line_no, p.part))
${takenOff}`;

const keyed = (table: string, key: string, by: string, order: string): string =>
  `select *, ${key} as key, row_number() over (partition by ${key}, direction${by} order by ${order}) as n from ${table} t where ${key} is not null and may_match`;
const shown = (key: string, by = ''): string =>
  keyed(`(${linesThatShow('select from open_absence')})`, key, by, 'day, file_no, line_no, part');
const columns = `l.file_no, l.line_no, l.part, l.day, l.order_no, null as merchant_id, null::bigint as transfer_no`;

/** One line shows one absence, of the same amount, or else with what differs. */
const one = (key: string, by: string): string =>
  takeOver(
    `with l as (${shown(key, by)}), e as (${keyed('open_absence', key, by, 'day, subject')}),
pair as (select ${columns}, e.match_no as of_match, e.subject, (l.amount - e.amount) * case l.direction when 'in' then 1 else -1 end as difference
  from l join e using (key, direction, n) ${by === '' ? '' : 'where l.amount = e.amount'})`,
    'delete from open_absence a using pair p where a.subject = p.subject',
  );
/** Several lines show what several absences come to: a payment in parts, or in one line instead. */
const together = (key: string): string =>
  takeOver(
    `with l as (${shown(key)}), e as (${keyed('open_absence', key, '', 'day, subject')}),
agreed as (select key, direction, min(e.match_no) as of_match from e group by 1, 2
  having sum(e.amount) = (select sum(l.amount) from l where l.key = e.key and l.direction = e.direction)),
pair as (select ${columns}, a.of_match, 0::numeric as difference from l join agreed a using (key, direction))`,
    'delete from open_absence a using e join agreed g using (key, direction) where a.subject = e.subject',
  );

/** A line that shows what was gone takes its match over, and the break over it ends. By its movement alone it may show another amount. */
export const showAgainSteps: readonly string[] = [
  ...absenceKeys.map((key) => one(key, ', amount')),
  ...absenceKeys.map(together),
  one(movement, ''),
];

/** Absences that are left. */
export const wantAbsencesSql = `insert into wanted_break select subject, 'missing_at_channel', difference, day from open_absence`;
