/** How many entries a block sums up. Blocks in the database always have this length. */
const blockLength = 1_000;

/**
 * Writes the next blocks of wallets. A block whose last entry does not exist yet waits. Returns whether there may be
 * more. Parameters: $1 most wallets, $2 most blocks of each.
 */
export const addBlocksSql = `with behind as materialized (
  select w.merchant_id, s.next, least(w.last_entry_no / ${blockLength}, s.next + $2::bigint) as until, w.last_entry_no / ${blockLength} as whole
  from wallet w cross join lateral (
    select coalesce((select s.block_no from wallet_entry_sum s where s.merchant_id = w.merchant_id order by s.block_no desc limit 1) + 1, 0) as next) s
  where w.last_entry_no >= ${blockLength} and s.next < w.last_entry_no / ${blockLength}
  limit $1::integer),
added as (
  insert into wallet_entry_sum (merchant_id, block_no, type, entries, available, frozen)
  select e.merchant_id, (e.entry_no - 1) / ${blockLength}, e.type, count(*), sum(e.available_change), sum(e.frozen_change)
  from behind b cross join lateral (
    select * from wallet_entry e where e.merchant_id = b.merchant_id
      and e.entry_no > b.next * ${blockLength} and e.entry_no <= b.until * ${blockLength} offset 0) e
  group by 1, 2, 3)
select count(*) = $1::integer or coalesce(bool_or(until < whole), false) as "isMore" from behind`;

/**
 * The number of a wallet's last entry before a moment (Unix ms), 0 if none. Parameters: $1 merchant. Entries are numbered without gaps in
 * the order of their times, so a binary search by the key finds it at any size.
 */
const lastBefore = (moment: string): string => `(with recursive search(low, high) as (
    select 0::bigint, w.n + 1 from w
    union all
    select case when e.is_before then s.middle else s.low end, case when e.is_before then s.high else s.middle end
    from (select low, high, (low + high) / 2 as middle from search where high - low > 1) s
    cross join lateral (select e.created_at < to_timestamp(${moment}::float8 / 1000) as is_before
      from wallet_entry e where e.merchant_id = $1 and e.entry_no = s.middle) e)
  select low from search where high - low <= 1)`;

const balanceAfter = (entryNo: string): string =>
  `left join wallet_entry e on e.merchant_id = $1 and e.entry_no = ${entryNo}`;

/**
 * A wallet's entries in a period: their numbers, after `after` up to `last`, and the balances before and after them. No
 * row if there is no such wallet. Parameters: $1 merchant, $2 beginning, $3 end (Unix ms, exclusive).
 */
export const periodSql = `with w as (select last_entry_no as n, currency from wallet where merchant_id = $1),
period as (select currency, ${lastBefore('$2')} as after, ${lastBefore('$3')} as last from w)
select p.currency, p.after::float8 as after, p.last::float8 as last,
  o.available::text as "openingAvailable", o.frozen::text as "openingFrozen", c.available::text as "closingAvailable", c.frozen::text as "closingFrozen"
from period p
cross join lateral (select coalesce(e.available_after, 0.00) as available, coalesce(e.frozen_after, 0.00) as frozen
  from (select 1) x ${balanceAfter('p.after')}) o
cross join lateral (select coalesce(e.available_after, 0.00) as available, coalesce(e.frozen_after, 0.00) as frozen
  from (select 1) x ${balanceAfter('p.last')}) c`;

/**
 * The sums by type of a range of a wallet's entries: whole blocks from their sums, the rest from the entries. Null sums
 * if too many entries would have to be read, because blocks are still being written. Parameters: $1 merchant, $2 last
 * number before the range, $3 last number of it, $4 most entries to read.
 */
export const totalsSql = `with written as (
  select coalesce((select s.block_no from wallet_entry_sum s where s.merchant_id = $1 order by s.block_no desc limit 1) + 1, 0) as blocks),
whole as (
  select first, greatest(first, least($3::bigint / ${blockLength}, written.blocks)) as until
  from written, (select ($2::bigint + ${blockLength} - 1) / ${blockLength} as first) f),
edges as (
  select $2::bigint as after, case when until > first then first * ${blockLength} else $3::bigint end as last from whole
  union all select until * ${blockLength}, $3::bigint from whole where until > first),
fits as (select sum(last - after) <= $4::bigint as fits from edges),
parts as (
  select s.type, s.entries, s.available, s.frozen from whole join wallet_entry_sum s on s.merchant_id = $1 and s.block_no >= first and s.block_no < until
  union all
  select e.type, 1, e.available_change, e.frozen_change from edges cross join lateral (
    select * from wallet_entry e where e.merchant_id = $1 and e.entry_no > edges.after and e.entry_no <= edges.last and (select fits from fits) offset 0) e)
select fits.fits, t.* from fits left join (
  select type, sum(entries)::float8 as entries, sum(available)::text as "availableChange", sum(frozen)::text as "frozenChange"
  from parts group by type) t on true`;
