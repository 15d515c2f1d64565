import { countries, countryRules } from '@tidegate/domain';

// The statements of `fillWithOrders`, in order. All variation is derived from the order's number, so the same database
// is made each time.

/**
 * The merchants of one share. Each connection fills its own. $1 the merchants' prefix, $2 the share, from 0, $3 shares.
 */
export const takeShare = `
create temp table own on commit drop as
select * from (
  select row_number() over (order by merchant_id) - 1 as place, count(*) over () as merchants, merchant_id, country, currency, tag
  from merchant where starts_with(merchant_id, $1::text)) m
where place % $3::integer = $2::integer`;

/**
 * The orders of the share, one row each, before they are distributed to the tables. $1 orders of all shares, $2 days,
 * $3 the end, in Unix ms. `offset 0` prevents repeated computation of the same expression.
 */
export const makeOrders = `
create temp table made on commit drop as
with drawn as (
  select n, h, floor(pow(${bits('h', 25, 16)} / 65536.0, 2) * (select max(merchants) from own))::bigint as place, to_timestamp($3::float8 / 1000) as until,
    date_trunc('milliseconds', to_timestamp($3::float8 / 1000) - interval '1 day' * $2::integer * (1 - n / $1::float8)) as created_at
  from generate_series(1, $1::integer) n cross join lateral (select hashint8extended(n, 7) as h offset 0) r offset 0),
priced as (
  select d.*, m.merchant_id, m.country, m.currency, m.tag, case when m.country in ('IN', 'PK') and ${bits('h', 1, 1)} = 1 then 'payout' else 'payin' end as kind,
    (${bits('h', 2, 17)} + 100)::numeric(14, 2) + (${bits('h', 19, 6)} % 100) / 100.0 as amount
  from drawn d join own m using (place) offset 0),
ended as (
  select p.*, round(case kind when 'payin' then amount * 0.025 else amount * 0.01 + 5 end, 2) as fee,
    case when ${bits('h', 41, 8)} < 200 or kind = 'payout' and ${bits('h', 41, 8)} < 240 then 'completed'
      when kind = 'payin' and ${bits('h', 41, 8)} < 240 then case when country in ('TH', 'IN') then 'timeout' else 'cancelled' end
      else 'failed' end as ends_as,
    created_at + interval '1 ms' * case when kind = 'payin' and ${bits('h', 41, 8)} between 200 and 239 then 1800000
      else floor(1000 * exp(${bits('h', 49, 12)} / 4096.0 * 7)) end as ended_at,
    floor(extract(epoch from created_at) * 1000)::bigint as created_ms, h & 1152921504606846975 as tail
  from priced p offset 0)
select *, (row_number() over (partition by merchant_id order by n) - 1) / 50 + 1 as batch_no,
  case when ended_at > until then 'processing' else ends_as end as status, ended_at <= until as is_over,
  ('bank-' || (h & 1)) as channel_id, 'M-' || n as merchant_order_no, 'https://shop.example.com/hooks' as notify_url,
  case kind when 'payin' then 'PI' else 'PO' end || ${base32('created_ms', 9)} || tag ||
    ${base32('tail', 12)} as order_no,
  case kind when 'payin' then amount - fee else amount + fee end as net
from ended`;

/** The movements of money, one row per transfer: from which account to which. An opening balance comes first. */
export const makeMoves = `
create temp table moved on commit drop as
select *, links + (transfer_no - 1) / 200 + 1 as batch_no from (
select *, row_number() over (partition by merchant_id order by at, n, step) as transfer_no from (
  select 0 as n, 0 as step, merchant_id, currency, null as order_no, null as merchant_order_no, (select min(created_at) from made) - interval '1 hour' as at,
    'external' as debit, 'available' as credit, 9000000000.00 as amount, 'top_up' as cause, 'TOP_UP' as type, 9000000000.00 as available, 0.00 as frozen
  from own
  union all select n, 1, merchant_id, currency, order_no, merchant_order_no, created_at,
    'available', 'frozen', net, 'payout_freeze', 'PAYOUT_FREEZE', -net, net from made where kind = 'payout'
  union all select n, 2, merchant_id, currency, order_no, merchant_order_no, ended_at,
    'frozen', 'channel:' || channel_id, amount, 'payout_settle', 'PAYOUT', 0, -net from made where kind = 'payout' and status = 'completed'
  union all select n, 3, merchant_id, currency, order_no, merchant_order_no, ended_at,
    'frozen', 'fee_revenue', fee, 'payout_fee', null, 0, 0 from made where kind = 'payout' and status = 'completed'
  union all select n, 2, merchant_id, currency, order_no, merchant_order_no, ended_at,
    'frozen', 'available', net, 'payout_release', 'PAYOUT_RELEASE', net, -net from made where kind = 'payout' and status = 'failed'
  union all select n, 2, merchant_id, currency, order_no, merchant_order_no, ended_at,
    'channel:' || channel_id, 'available', net, 'payin', 'PAYIN', net, 0 from made where kind = 'payin' and status = 'completed'
  union all select n, 3, merchant_id, currency, order_no, merchant_order_no, ended_at,
    'channel:' || channel_id, 'fee_revenue', fee, 'payin_fee', null, 0, 0 from made where kind = 'payin' and status = 'completed') m) numbered
join (select merchant_id, coalesce(max(batch_no), 0) as links from own left join made using (merchant_id) group by 1) l using (merchant_id)`;

const insertOrders = `
insert into orders (merchant_id, order_no, merchant_order_no, kind, country, currency, mode, status, amount, fee_amount, net_amount, paid_amount,
  fee_terms, bank_code, channel_id, channel_ref, notify_url, details, next_action, next_action_at, attempt, expires_at, created_at, updated_at, completed_at,
  failure_reason, batch_no)
select merchant_id, order_no, merchant_order_no, kind, country, currency, 'upstream', status, amount, fee, net,
  case status when 'completed' then amount else 0 end, 
  (case kind when 'payin' then '{"fixed": "0.00", "percent": "2.5"}' else '{"fixed": "5.00", "percent": "1"}' end)::jsonb,
  case when country = 'TH' then 'QR' when kind = 'payout' and country = 'PK' then 'BANK' || floor(pow(${bits('h', 30, 10)} / 1024.0, 2) * 30) end,
  channel_id, 'ref-' || n, notify_url,
  jsonb_build_object('party', jsonb_build_object('name', ${nameOf()}, 'account', ${accountOf()}, 'mobile', '+9198' || lpad((${bits('h', 21, 30)} % 2000000)::text, 8, '0'))),
  case when not is_over then 'poll' end, case when not is_over then until + interval '1 day' end, 0,
  case kind when 'payin' then created_at + interval '30 minutes' end, created_at, case when is_over then ended_at else created_at end,
  case status when 'completed' then ended_at end,
  case when status in ('timeout', 'cancelled') then 'not paid in time'
    when status = 'failed' then (array['payment failed', 'payment failed', 'rejected by the payment channel', 'the payment channel did not answer in time'])[(h & 3) + 1] end,
  batch_no
from made order by n`;

const insertTransitions = `
insert into order_transition (merchant_id, order_no, seq, "from", "to", trigger, actor, at, batch_no)
select merchant_id, order_no, t.*, batch_no from made cross join lateral (values
  (1, 'new', 'created', 'created', 'merchant', created_at),
  (2, 'created', 'processing', case country when 'IN' then 'begun' else 'channel_accepted' end, 'channel:' || channel_id, created_at),
  (3, 'processing', status, case status when 'completed' then 'paid' when 'failed' then 'channel_failed' else 'unpaid' end,
    'channel:' || channel_id, ended_at)) as t(seq, "from", "to", trigger, actor, at)
where seq < 3 or is_over order by t.at, n, seq`;

const insertPayments = `
insert into payment (merchant_id, order_no, seq, direction, reference, channel_id, amount, use, received_at, batch_no)
select merchant_id, order_no, 1, case kind when 'payin' then 'in' else 'out' end, 'UTR' || n, channel_id, amount, 'credited', ended_at, batch_no from made where status = 'completed' order by ended_at`;

const insertTransfers = `
insert into transfer (merchant_id, transfer_no, debit, credit, currency, amount, cause, order_no, created_at, batch_no)
select merchant_id, transfer_no, debit, credit, currency, amount, cause, order_no, at, batch_no from moved order by at, n, step`;

const insertEntries = `
insert into wallet_entry (merchant_id, entry_no, type, available_change, frozen_change, available_before, available_after, frozen_before, frozen_after,
  order_no, merchant_order_no, booking_no, created_at, batch_no)
select merchant_id, entry_no, type, available, frozen, available_after - available, available_after, frozen_after - frozen, frozen_after,
  order_no, merchant_order_no, case when order_no is null then 'OPENING' end, at, batch_no
from (
  select merchant_id, type, available::numeric(18, 2), frozen::numeric(18, 2), order_no, merchant_order_no, at, batch_no, row_number() over w as entry_no,
    sum(available::numeric(18, 2)) over w as available_after, sum(frozen::numeric(18, 2)) over w as frozen_after
  from moved where type is not null window w as (partition by merchant_id order by transfer_no rows unbounded preceding)) e`;

const insertNotifications = `
insert into notification (merchant_id, order_no, status, url, host, body, state, attempt, created_at, delivered_at)
select merchant_id, order_no, status, notify_url, 'shop.example.com:443', format('{"orderNo":"%s","status":"%s","amount":"%s"}', order_no, status, amount), case when ${isExhausted()} then 'exhausted' else 'delivered' end, 1,
  ended_at, case when not ${isExhausted()} then ended_at + interval '200 ms' end
from made join (values ${notifying()}) as rule(of_kind, of_country, of_status) on (kind, country, status) = (of_kind, of_country, of_status)
where is_over order by ended_at`;

const insertAttempts = `
insert into notification_attempt (merchant_id, order_no, status, attempt, started_at, duration_ms, address, http_status, reply)
select n.merchant_id, n.order_no, n.status, 1, n.created_at, 150, '203.0.113.9', 200, 'OK'
from notification n join made using (merchant_id, order_no, status)`;

/** A time as the ledger chain hashes it. */
const millis = (column: string): string =>
  `coalesce(round(extract(epoch from ${column}) * 1000)::bigint::text, 'null') || ';'`;
const textsOf = (columns: readonly string[]): string =>
  columns.map((column) => `pg_temp.text_of(${column})`).join(' || ');

// Links of 50 orders each, with their transitions and payments, and of 200 transfers each, with their entries. The contents are those of the
// domain's `ledgerBatch`. The audit of a filled database shows whether they still agree.
const insertLinks = `
insert into ledger_batch (merchant_id, batch_no, at, rows, hash)
select merchant_id, batch_no, at, rows, pg_temp.chain(pg_temp.text_of(merchant_id) || batch_no || ';' || ${millis('at')} || cardinality(rows) || ';'
    || (select string_agg(pg_temp.text_of(r), '' order by place) from unnest(rows) with ordinality as u(r, place)) || texts)
  over (partition by merchant_id order by batch_no)
from (
  select o.merchant_id, o.batch_no, max(o.created_at) as at,
    array_agg('o:' || o.order_no || ':' || s.count order by o.order_no) || coalesce(array_agg('p:' || p.order_no || ':' || p.seq order by o.order_no)
      filter (where p.seq is not null), '{}') as rows,
    string_agg('o' || ${textsOf(['o.order_no', 'o.merchant_order_no', 'o.kind', 'o.country', 'o.currency', 'o.mode', 'o.amount::text', 'o.fee_amount::text', 'o.net_amount::text'])}
      || pg_temp.text_of(format('{"fixed":"%s","percent":"%s"}', o.fee_terms->>'fixed', o.fee_terms->>'percent')) || ${textsOf(['o.bank_code', 'o.notify_url'])}
      || pg_temp.text_of(format('{"party":{"account":"%s","mobile":"%s","name":"%s"}}', o.details->'party'->>'account', o.details->'party'->>'mobile', o.details->'party'->>'name'))
      || ${millis('o.expires_at')} || ${millis('o.created_at')} || s.texts, '' order by o.order_no)
    || coalesce(string_agg('p' || pg_temp.text_of(p.order_no) || p.seq || ';' || ${textsOf(['p.direction', 'p.reference', 'p.channel_id', 'p.amount::text', 'p.use', 'p.line'])}
      || ${millis('p.received_at')}, '' order by o.order_no) filter (where p.seq is not null), '') as texts
  from made join orders o using (merchant_id, order_no)
  cross join lateral (
    select count(*), string_agg('s' || pg_temp.text_of(t.order_no) || t.seq || ';' || ${textsOf(['t."from"', 't."to"', 't.trigger', 't.actor', 't.detail'])} || ${millis('t.at')},
      '' order by t.seq) as texts
    from order_transition t where t.merchant_id = o.merchant_id and t.order_no = o.order_no) s
  left join payment p on p.merchant_id = o.merchant_id and p.order_no = o.order_no
  group by o.merchant_id, o.batch_no
  union all
  select merchant_id, batch_no, t.at, coalesce(e.rows, '{}') || t.rows, coalesce(e.texts, '') || t.texts
  from (
    select t.merchant_id, t.batch_no, max(t.created_at) as at, array['t:' || min(t.transfer_no) || ':' || max(t.transfer_no)] as rows,
      string_agg('t' || t.transfer_no || ';' || ${textsOf(['t.debit', 't.credit', 't.currency', 't.amount::text', 't.cause', 't.order_no'])} || ${millis('t.created_at')},
        '' order by t.transfer_no) as texts
    from own join transfer t using (merchant_id) group by t.merchant_id, t.batch_no) t
  left join (
    select e.merchant_id, e.batch_no, array['e:' || min(e.entry_no) || ':' || max(e.entry_no)] as rows,
      string_agg('e' || e.entry_no || ';' || ${textsOf(['e.type', 'e.available_change::text', 'e.frozen_change::text', 'e.available_before::text', 'e.available_after::text', 'e.frozen_before::text', 'e.frozen_after::text'])}
        || ${textsOf(['e.order_no', 'e.merchant_order_no', 'e.remark', 'e.booking_no', 'e.counter', 'e.corrects'])} || ${millis('e.created_at')}, '' order by e.entry_no) as texts
    from own join wallet_entry e using (merchant_id) group by e.merchant_id, e.batch_no) e using (merchant_id, batch_no)) links`;

const updateWallets = `
update wallet w set available = e.available_after, frozen = e.frozen_after, last_entry_no = e.entry_no,
  last_transfer_no = t.transfer_no, last_batch_no = b.batch_no, last_batch_hash = b.hash, updated_at = e.created_at
from (select merchant_id, max(transfer_no) as transfer_no, max(batch_no) as batch_no, count(type) as entry_no from moved group by 1) t
join wallet_entry e using (merchant_id, entry_no) join ledger_batch b on b.merchant_id = e.merchant_id and b.batch_no = t.batch_no
where w.merchant_id = e.merchant_id`;

/** Inserts the prepared rows into the tables. */
export const spread = [
  insertOrders,
  insertTransitions,
  insertPayments,
  insertTransfers,
  `create function pg_temp.link(before text, entry text) returns text language plpgsql immutable as
    $$ begin return encode(sha256(convert_to(before || entry, 'UTF8')), 'hex'); end $$`,
  `create aggregate pg_temp.chain(text) (sfunc = pg_temp.link, stype = text, initcond = '${'0'.repeat(64)}')`,
  `create function pg_temp.text_of(value text) returns text language sql immutable as $$ select coalesce(length(value) || ':' || value, '-') $$`,
  insertEntries,
  insertLinks,
  insertNotifications,
  insertAttempts,
  updateWallets,
];

/** 60 first names and 80 last names, some far more often than others. */
function nameOf(): string {
  const one = (word: string, from: number, count: number): string =>
    `'${word}' || chr(97 + (floor(pow(${bits('h', from, 12)} / 4096.0, 2) * ${count})::integer % 26)) || floor(pow(${bits('h', from, 12)} / 4096.0, 2) * ${count})`;
  return `${one('A', 3, 60)} || ' ' || ${one('R', 17, 80)}`;
}

/** One account has every tenth order; of the others each has a few. */
function accountOf(): string {
  return `case when ${bits('h', 8, 10)} < 102 then 'POOL000001' else lpad((${bits('h', 11, 30)} % 1000000)::text, 14, '5') end`;
}

/** One notification of 500. */
function isExhausted(): string {
  return `(${bits('h', 5, 20)} % 500 = 0)`;
}

/** `count` bits of a 64-bit number, from bit `from` on. */
function bits(number: string, from: number, count: number): string {
  return `((${number} >> ${from}) & ${2 ** count - 1})`;
}

/** The number's lowest digits in the alphabet of order numbers. */
function base32(number: string, digits: number): string {
  const digit = (place: number): string =>
    `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (((${number}) >> ${place * 5}) & 31)::integer + 1, 1)`;
  return Array.from({ length: digits }, (_, i) => digit(digits - 1 - i)).join(' || ');
}

/** The orders with notifications, as rows of a VALUES list. */
function notifying(): string {
  const rows = countries.flatMap((country) =>
    (['payin', 'payout'] as const).flatMap((kind) =>
      (countryRules[country][kind]?.notifications.statuses ?? []).map(
        (status) => `('${kind}', '${country}', '${status}')`,
      ),
    ),
  );
  return rows.join(', ');
}
