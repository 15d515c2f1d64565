/**
 * What is always true (the ledger's design page), as queries that give one row for each violation: `merchant_id`, `detail`.
 * Entries' hashes are not here: SQL would only repeat the code that made them.
 */
export const auditRules: Record<string, string> = {
  'balances are not negative': `
    select merchant_id, format('available %s, frozen %s', available, frozen) as detail from wallet where available < 0 or frozen < 0`,

  'a balance is the sum of its transfers': `
    select w.merchant_id, format('%s: wallet %s, transfers %s', a.account, a.balance, coalesce(t.total, 0)) as detail
    from wallet w
    cross join lateral (values ('available', w.available), ('frozen', w.frozen)) as a(account, balance)
    left join (
      select merchant_id, account, sum(amount) as total from (
        select merchant_id, credit as account, amount from transfer
        union all select merchant_id, debit, -amount from transfer) moves
      where account in ('available', 'frozen') group by 1, 2) t using (merchant_id, account)
    where a.balance <> coalesce(t.total, 0)`,

  'a balance is what the last entry left': `
    select w.merchant_id, format('wallet %s/%s, entry %s left %s/%s', w.available, w.frozen, e.entry_no, e.available_after, e.frozen_after) as detail
    from wallet w left join wallet_entry e on e.merchant_id = w.merchant_id and e.entry_no = w.last_entry_no
    where (w.available, w.frozen, w.last_entry_hash)
      is distinct from (coalesce(e.available_after, 0), coalesce(e.frozen_after, 0), coalesce(e.hash, repeat('0', 64)))`,

  'frozen is what open payouts hold': `
    select w.merchant_id, format('frozen %s, open payouts %s', w.frozen, coalesce(p.held, 0)) as detail
    from wallet w left join (
      select merchant_id, sum(net_amount) as held from orders
      where kind = 'payout' and status not in ('completed', 'failed', 'timeout', 'cancelled') group by 1) p using (merchant_id)
    where w.frozen <> coalesce(p.held, 0)`,

  'a payout is frozen once, and settled or released once when it ends': `
    select o.merchant_id, format('%s is %s with %s freezes, %s settled, %s released', o.order_no, o.status, e.frozen, e.settled, e.released) as detail
    from orders o cross join lateral (
      select count(*) filter (where type = 'PAYOUT_FREEZE' and frozen_change = o.net_amount) as frozen,
        count(*) filter (where type = 'PAYOUT' and frozen_change = -o.net_amount) as settled,
        count(*) filter (where type = 'PAYOUT_RELEASE' and frozen_change = -o.net_amount) as released
      from wallet_entry e where e.merchant_id = o.merchant_id and e.order_no = o.order_no) e
    where o.kind = 'payout' and (e.frozen <> 1
      or e.settled <> (case when o.status = 'completed' then 1 else 0 end)
      or e.released <> (case when o.status in ('failed', 'timeout', 'cancelled') then 1 else 0 end))`,

  'a completed payin is credited once, and no other': `
    select o.merchant_id, format('%s is %s with %s credits of %s', o.order_no, o.status, e.credits, o.net_amount) as detail
    from orders o cross join lateral (
      select count(*) as credits, count(*) filter (where available_change = o.amount - o.fee_amount) as right_ones
      from wallet_entry e where e.merchant_id = o.merchant_id and e.order_no = o.order_no and e.type = 'PAYIN') e
    where o.kind = 'payin' and (e.credits, e.right_ones)
      is distinct from (case when o.status = 'completed' then (1::bigint, 1::bigint) else (0::bigint, 0::bigint) end)`,

  'a payin moves exactly what its payments brought': `
    select o.merchant_id, format('%s: payments %s, taken from channels %s', o.order_no, p.total, t.total) as detail
    from orders o
    left join (select merchant_id, order_no, sum(amount) as total from payment group by 1, 2) p using (merchant_id, order_no)
    left join (select merchant_id, order_no, sum(amount) as total from transfer where debit like 'channel:%' group by 1, 2) t
      using (merchant_id, order_no)
    where o.kind = 'payin' and coalesce(p.total, 0) <> coalesce(t.total, 0)`,

  'a completed order paid its fee once, and no other': `
    select o.merchant_id, format('%s is %s: its fee is %s, booked were %s', o.order_no, o.status, o.fee_amount, coalesce(t.total, 0)) as detail
    from orders o left join (
      select merchant_id, order_no, sum(case credit when 'fee_revenue' then amount else -amount end) as total
      from transfer where 'fee_revenue' in (debit, credit) group by 1, 2) t using (merchant_id, order_no)
    where coalesce(t.total, 0) <> case o.status when 'completed' then o.fee_amount else 0 end`,

  'suspense holds what open cases and open parts are about': `
    select w.merchant_id, format('suspense %s, accounted for %s', s.total, c.total + q.total) as detail
    from wallet w
    cross join lateral (
      select coalesce(sum(case when credit = 'suspense' then amount else -amount end), 0) as total
      from transfer t where t.merchant_id = w.merchant_id and 'suspense' in (t.debit, t.credit)) s
    cross join lateral (
      select coalesce(sum(case kind when 'payout_paid_again' then -amount else amount end), 0) as total from money_case c where c.merchant_id = w.merchant_id and c.state = 'open') c
    cross join lateral (
      select coalesce(sum(o.paid_amount), 0) as total from orders o
      where o.merchant_id = w.merchant_id and o.kind = 'payin' and o.status in ('created', 'processing', 'partial_paid')) q
    where s.total <> c.total + q.total`,

  'entries are numbered without gaps and chain': `
    select merchant_id, format('entry %s follows %s', entry_no, previous_no) as detail from (
      select merchant_id, entry_no, available_before, frozen_before,
        lag(entry_no) over w as previous_no, lag(available_after) over w as available_then, lag(frozen_after) over w as frozen_then
      from wallet_entry window w as (partition by merchant_id order by entry_no)) e
    where entry_no <> coalesce(previous_no, 0) + 1
      or available_before <> coalesce(available_then, 0) or frozen_before <> coalesce(frozen_then, 0)`,

  'transfers are numbered without gaps': `
    select w.merchant_id, format('last transfer %s, counted %s up to %s', w.last_transfer_no, t.counted, t.last) as detail
    from wallet w cross join lateral (
      select count(*) as counted, coalesce(max(transfer_no), 0) as last from transfer t where t.merchant_id = w.merchant_id) t
    where w.last_transfer_no <> t.counted or t.counted <> t.last`,

  'the wallet knows how many entries it has': `
    select w.merchant_id, format('last entry %s, counted %s', w.last_entry_no, e.counted) as detail
    from wallet w cross join lateral (select count(*) as counted from wallet_entry e where e.merchant_id = w.merchant_id) e
    where w.last_entry_no <> e.counted`,

  'the last transition of an order is its status': `
    select o.merchant_id, format('%s is %s, its history says %s', o.order_no, o.status, t."to") as detail
    from orders o left join lateral (
      select "to" from order_transition t where t.merchant_id = o.merchant_id and t.order_no = o.order_no order by seq desc limit 1) t on true
    where o.status is distinct from t."to"`,
};
