import { upTo } from './position.ts';
import type { Rules } from './violation.ts';

/** The next entries after each position. Parameters: $1 positions, $2 most entries of each merchant. */
const nextEntries = `cross join lateral (
  select * from wallet_entry e where e.merchant_id = p."merchantId" and e.entry_no > p."entryNo" and e.entry_no <= ${upTo('Entry')}
  order by e.entry_no limit $2) e`;

/**
 * Each entry with the number of a settlement is of that settlement. A booking by hand can have such a number only from before they were refused;
 * then its tag is another one.
 */
export const settlementEntryRules: Rules = {
  'an entry with a settlement number is of that settlement': `
    select e.merchant_id, 'entry ' || e.entry_no as subject, format('%s of %s over %s, the settlement is %s over %s', e.type, e.booking_no, e.available_change,
      coalesce(s.state, 'missing'), s.amount) as detail
    from json_to_recordset($1::json) as p("merchantId" text, "entryNo" bigint, "untilEntryNo" bigint) ${nextEntries}
    cross join lateral (select m.tag from merchant m where m.merchant_id = e.merchant_id offset 0) m
    left join lateral (
      select * from settlement s where s.merchant_id = e.merchant_id and s.settlement_no = split_part(e.booking_no, '-', 1) offset 0) s on true
    where e.booking_no ~ ('^ST' || m.tag || '[0-9]{6,}(-returned)?$') and case
      when e.booking_no = s.settlement_no then (e.type, e.available_change) is distinct from ('SETTLEMENT', -s.amount) or s.state = 'draft'
      else (e.type, e.available_change, s.state) is distinct from ('ADJUSTMENT', s.amount, 'failed') end`,
};

/** What the posted breaks of the lines that have the match of the line `l` name, and the sum of these lines. Several show a payment in parts. */
const partsOf = `(select sum(p.gross) as gross, array_agg(b.names) as names from matched_line y
    join statement_line p on p.merchant_id = y.merchant_id and p.file_no = y.file_no and p.line_no = y.line_no and p.part = y.part
      and (p.direction, p.currency) = (l.direction, l.currency)
    left join lateral (select b.names from (select * from reconciliation_break b where b.merchant_id = p.merchant_id
      and b.subject = 'line ' || p.file_no || '/' || p.line_no || '/' || p.part offset 0) b where b.state = 'posted' limit 1) b on true
    where y.merchant_id = l.merchant_id and y.match_no = x.match_no and y.rule = 'posted')`;

/** The statement line at a place (`file/row/part`) of a country's tenant, with what explains it and what its break names. Both are SQL. */
const lineAt = (country: string, place: string): string => `
  select l.direction, coalesce(z.gross, l.gross) as gross, l.currency, x.rule, z.names, array_to_string(z.names, ', ') as words
  from statement_line l
  left join matched_line x on x.merchant_id = l.merchant_id and x.file_no = l.file_no and x.line_no = l.line_no and x.part = l.part
  left join lateral ${partsOf} z on true
  where l.merchant_id = 'PLATFORM-' || ${country} and l.file_no = split_part(${place}, '/', 1)::bigint
    and l.line_no = split_part(${place}, '/', 2)::integer and l.part = split_part(${place}, '/', 3)::integer`;

/** Bodies of rules of a wallet: a merchant has at most one settlement a day, so all of them are looked up. */
export const settlementRuleBodies: Rules = {
  'a settlement moved its amount once, and back once if it failed': `
    select s.merchant_id, s.settlement_no as subject, format('it is %s over %s, taken were %s, brought back %s', s.state, s.amount, e.taken, e.brought) as detail
    from p cross join lateral (select * from settlement s where s.merchant_id = p."merchantId" offset 0) s
    cross join lateral (
      select (select -e.available_change from wallet_entry e where e.merchant_id = s.merchant_id and e.booking_no = s.settlement_no and e.type = 'SETTLEMENT') as taken,
        (select e.available_change from wallet_entry e where e.merchant_id = s.merchant_id and e.booking_no = s.settlement_no || '-returned'
          and e.type = 'ADJUSTMENT') as brought) e
    where e.taken is distinct from (case when s.state <> 'draft' then s.amount end)
      or e.brought is distinct from (case when s.state = 'failed' then s.amount end)`,

  'a failed settlement has its case': `
    select s.merchant_id, s.settlement_no as subject, format('case %s is %s about %s', s.case_no, coalesce(c.kind, 'missing'), c.reference) as detail
    from p cross join lateral (select * from settlement s where s.merchant_id = p."merchantId" and s.state = 'failed' offset 0) s
    left join lateral (
      select * from money_case c where c.merchant_id = s.merchant_id and c.case_no = s.case_no offset 0) c on true
    where (c.kind, c.reference, c.amount) is distinct from ('settlement_failed', s.settlement_no, s.amount)`,

  'a line of a statement proves a settlement of its amount': `
    select s.merchant_id, s.settlement_no as subject, format('it is %s over %s, line %s is %s over %s %s and names %s', s.state, s.amount, k.place,
      coalesce(l.direction, 'missing'), l.gross, l.currency, coalesce(nullif(l.words, ''), 'nothing')) as detail
    from p cross join lateral (select * from settlement s where s.merchant_id = p."merchantId" and coalesce(s.debit_line, s.return_line) is not null offset 0) s
    cross join lateral (select m.country from merchant m where m.merchant_id = s.merchant_id offset 0) m
    cross join lateral (values (s.debit_line, 'out', s.state in ('confirmed', 'failed')), (s.return_line, 'in', s.state = 'failed')) as k(place, direction, is_so)
    left join lateral (${lineAt('m.country', 'k.place')}) l on true
    where k.place is not null and (not k.is_so or (l.direction, l.gross, l.currency, l.rule)
      is distinct from (k.direction, s.amount, s.currency, 'posted') or l.names <@ array[s.settlement_no, s.payment_no] is not true)`,

  // The settlements of a file are few, and each of its merchants looks at its own.
  'a line that proves a bank file is over its sum, and all of it was paid': `
    select s.merchant_id, s.settlement_no as subject, format('it is %s, file %s over %s, line %s is %s over %s and names %s', s.state, f.file_no, f.total, f.debit_line,
      coalesce(l.direction, 'missing'), l.gross, coalesce(nullif(l.words, ''), 'nothing')) as detail
    from p cross join lateral (select * from settlement s where s.merchant_id = p."merchantId" and s.file_no is not null offset 0) s
    cross join lateral (select m.country from merchant m where m.merchant_id = s.merchant_id offset 0) m
    cross join lateral (select * from settlement_file f where f.merchant_id = 'PLATFORM-' || m.country and f.file_no = s.file_no
      and f.debit_line is not null offset 0) f
    left join lateral (${lineAt('m.country', 'f.debit_line')}) l on true
    where s.state not in ('confirmed', 'failed') or s.debit_line is not null
      or (l.direction, l.gross, l.currency, l.rule) is distinct from ('out', f.total, f.currency, 'posted') or l.names <@ array[f.file_no] is not true`,

  // A line that confirms it is posted with its break. What came after its failure is borne by suspense.
  'a settlement that a channel pays moved its money at the channel once': `
    select s.merchant_id, s.settlement_no as subject, format('it is %s over %s at %s, transfers %s and %s are %s and %s', s.state, s.amount, s.channel_id,
      s.transfer_no, s.return_transfer_no, coalesce(o.moved, 'missing'), coalesce(i.moved, 'missing')) as detail
    from p cross join lateral (select * from settlement s where s.merchant_id = p."merchantId" and s.channel_id is not null offset 0) s
    left join lateral (select format('%s of %s', t.cause, t.amount) as moved, t.cause, t.amount, t.debit, t.credit from transfer t
      where t.merchant_id = s.merchant_id and t.transfer_no = s.transfer_no offset 0) o on true
    left join lateral (select format('%s of %s', t.cause, t.amount) as moved, t.cause, t.amount, t.debit, t.credit from transfer t
      where t.merchant_id = s.merchant_id and t.transfer_no = s.return_transfer_no offset 0) i on true
    where (s.state = 'confirmed' and (s.transfer_no is null) = (s.debit_line is null))
      or (s.transfer_no is not null and (o.amount, o.credit) is distinct from (s.amount, 'channel:' || s.channel_id))
      or (s.transfer_no is not null and (o.cause, o.debit) not in (('settlement_paid', 'external'), ('suspense_out', 'suspense')))
      or (o.cause = 'suspense_out' and s.state <> 'failed')
      or (s.return_transfer_no is not null and (i.cause, i.amount, i.debit) is distinct from ('settlement_returned', s.amount, 'channel:' || s.channel_id))`,
};
