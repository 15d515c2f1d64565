import type { DatabaseAccess } from '../database/database.ts';
import { runExclusively } from '../database/run-exclusively.ts';

/** How many merchants one call takes at most, and how many transfers of each. */
const most = { merchants: 100, transfers: 2_000 };

/**
 * Adds merchants' newest transfers to the totals of the platform's accounts. Transfers are numbered without gaps by whoever holds the
 * merchant, so the number alone says how far a total has come. Merchants whose total was moved longest ago come first, so that each has its turn
 * however many are busy. Resolves to whether there may be more than one call takes. Nobody waits for it,
 * and readers add by themselves what is not in yet.
 */
export function rollUpAccounts(domain: DatabaseAccess, limits = most): Promise<boolean> {
  return runExclusively(domain, 'accounts', async (client) => {
    const { rows } = await client.query<{ isMore: boolean }>(addSql, [limits.merchants, limits.transfers]);
    return rows[0]?.isMore ?? false;
  });
}

const addSql = `
with behind as (
  select w.merchant_id, coalesce(p.transfer_no, 0) as done, least(w.last_transfer_no, coalesce(p.transfer_no, 0) + $2::integer) as until,
    w.last_transfer_no
  from wallet w left join account_total_progress p using (merchant_id)
  where w.last_transfer_no > coalesce(p.transfer_no, 0) order by p.moved_at nulls first, merchant_id limit $1::integer),
added as (
  insert into account_total as a (merchant_id, account, currency, debited, credited, transfers)
  select b.merchant_id, s.account, t.currency, sum(s.debited), sum(s.credited), count(*)
  from behind b
  cross join lateral (select * from transfer t where t.merchant_id = b.merchant_id and t.transfer_no > b.done and t.transfer_no <= b.until offset 0) t
  cross join lateral (values (t.debit, t.amount, 0), (t.credit, 0, t.amount)) as s(account, debited, credited)
  where s.account not in ('available', 'frozen') group by 1, 2, 3
  on conflict (merchant_id, account) do update
    set debited = a.debited + excluded.debited, credited = a.credited + excluded.credited, transfers = a.transfers + excluded.transfers),
noted as (
  insert into account_total_progress as p (merchant_id, transfer_no, moved_at) select merchant_id, until, clock_timestamp() from behind
  on conflict (merchant_id) do update set transfer_no = excluded.transfer_no, moved_at = excluded.moved_at)
select count(*) = $1::integer or bool_or(until < last_transfer_no) as "isMore" from behind`;
