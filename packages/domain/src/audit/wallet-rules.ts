import { positionRows } from './position.ts';
import { settlementRuleBodies } from './settlement-rules.ts';
import type { Rules } from './violation.ts';

/**
 * The invariants of a merchant's wallet (the ledger's design page, 1, 2, 3 and 6). All its entries, transfers and
 * decisions were read up to `p`. What is open at the merchant is looked up; nothing here reads its history. A last
 * row is looked up as the last one up to its number: only the primary key serves that.
 */
const ruleBodies: Rules = {
  'balances are not negative': `
    select merchant_id, '' as subject, format('available %s, frozen %s', available, frozen) as detail
    from p join wallet w on w.merchant_id = p."merchantId" where available < 0 or frozen < 0`,

  'a balance is the sum of its transfers': `
    select w.merchant_id, a.account as subject, format('%s more than its transfers', a.balance - a.total) as detail
    from p join wallet w on w.merchant_id = p."merchantId"
    cross join lateral (values ('available', w.available, p."availableSum"), ('frozen', w.frozen, p."frozenSum")) as a(account, balance, total)
    where a.balance <> a.total`,

  'a balance is what the last entry left': `
    select w.merchant_id, '' as subject, format('%s available and %s frozen more than the last entry left', w.available - coalesce(e.available_after, 0),
      w.frozen - coalesce(e.frozen_after, 0)) as detail
    from p join wallet w on w.merchant_id = p."merchantId" left join lateral (
      select * from wallet_entry e where e.merchant_id = w.merchant_id and e.entry_no <= w.last_entry_no order by e.entry_no desc limit 1) e on true
    where (w.last_entry_no, w.available, w.frozen) is distinct from (coalesce(e.entry_no, 0), coalesce(e.available_after, 0), coalesce(e.frozen_after, 0))`,

  'what is withheld is what is still held of all channels': `
    select w.merchant_id, '' as subject, format('it withholds %s, and %s is held', w.withheld, h.held) as detail
    from p join wallet w on w.merchant_id = p."merchantId" cross join lateral (
      select coalesce(sum(m.amount - m.released), 0) as held from withheld_money m where m.merchant_id = w.merchant_id) h
    where w.withheld <> h.held`,

  'frozen is what open payouts hold': `
    select w.merchant_id, '' as subject, format('%s more than open payouts hold', w.frozen - o.held) as detail
    from p join wallet w on w.merchant_id = p."merchantId" cross join lateral (
      select coalesce(sum(net_amount), 0) as held from orders o
      where o.merchant_id = w.merchant_id and o.kind = 'payout' and o.status in ('created', 'processing', 'market_available')) o
    where w.frozen <> o.held`,

  'suspense holds what open cases and open parts are about': `
    select p."merchantId" as merchant_id, '' as subject, format('%s more than is accounted for', p."suspenseSum" - c.total - q.total) as detail
    from p
    cross join lateral (
      select coalesce(sum(case when kind in ('payout_paid_again', 'payout_wrong_amount') then came_back - amount when kind in ('contradiction', 'settlement_failed') then 0 else amount end), 0) as total
      from money_case c where c.merchant_id = p."merchantId" and c.state = 'open') c
    cross join lateral (
      select coalesce(sum(o.paid_amount), 0) as total from orders o
      where o.merchant_id = p."merchantId" and o.kind = 'payin' and o.paid_amount > 0 and o.status in ('created', 'processing', 'partial_paid')) q
    where p."suspenseSum" <> c.total + q.total`,

  'a case whose money is being sent back has its refund': `
    select c.merchant_id, 'case ' || c.case_no as subject, format('refund %s is %s over %s', c.refund_no, coalesce(f.state, 'missing'), f.amount) as detail
    from p
    cross join lateral (
      select * from money_case c where c.merchant_id = p."merchantId" and c.state = 'open' and c.refund_no is not null offset 0) c
    left join lateral (
      select * from refund f where f.merchant_id = c.merchant_id and f.case_no = c.case_no and f.refund_no = c.refund_no offset 0) f on true
    where (f.case_no, f.amount, f.channel_id) is distinct from (c.case_no, c.amount, c.channel_id)
      or f.state not in ('requested', 'accepted')`,

  'transfers are numbered without gaps': `
    select w.merchant_id, '' as subject, format('%s missing below the last one, %s at the end', p."transferNo" - p."transferCount", w.last_transfer_no - p."transferNo") as detail
    from p join wallet w on w.merchant_id = p."merchantId" where w.last_transfer_no <> p."transferCount" or p."transferCount" <> p."transferNo"`,

  'the wallet knows how many entries it has': `
    select w.merchant_id, '' as subject, format('%s more than there are', w.last_entry_no - p."entryCount") as detail
    from p join wallet w on w.merchant_id = p."merchantId" where w.last_entry_no <> p."entryCount"`,

  'decisions are numbered without gaps': `
    select w.merchant_id, '' as subject, format('%s missing below the last one, %s at the end', p."auditNo" - p."auditCount", w.last_audit_no - p."auditNo") as detail
    from p join wallet w on w.merchant_id = p."merchantId" where w.last_audit_no <> p."auditCount" or p."auditCount" <> p."auditNo"`,

  'ledger batches are numbered without gaps': `
    select w.merchant_id, '' as subject, format('%s missing below the last one, %s at the end', p."batchNo" - p."batchCount", w.last_batch_no - p."batchNo") as detail
    from p join wallet w on w.merchant_id = p."merchantId" where w.last_batch_no <> p."batchCount" or p."batchCount" <> p."batchNo"`,

  'the wallet knows the last ledger batch': `
    select w.merchant_id, '' as subject, 'the last batch has another hash than the wallet knows' as detail
    from p join wallet w on w.merchant_id = p."merchantId" left join lateral (
      select hash from ledger_batch b where b.merchant_id = w.merchant_id and b.batch_no <= w.last_batch_no order by b.batch_no desc limit 1) b on true
    where w.last_batch_hash <> coalesce(b.hash, repeat('0', 64))`,

  // The stored hash reveals an attacker who computed all later hashes again.
  'what was checked once is still there': `
    select k."merchantId" as merchant_id, k.subject, 'it was another one, or is missing' as detail
    from p join audit_checkpoint c on c.merchant_id = p."merchantId"
    cross join lateral (
      select p."merchantId", 'entry ' || (c.position->>'entryNo') as subject, c.position->>'entryNo' as kept, (
        select entry_no::text from wallet_entry e where e.merchant_id = c.merchant_id and e.entry_no <= (c.position->>'entryNo')::bigint order by e.entry_no desc limit 1) as now
      where (c.position->>'entryNo')::bigint > 0
      union all
      select p."merchantId", 'decision ' || (c.position->>'auditNo'), c.position->>'auditNo', (
        select audit_no::text from audit_record a where a.merchant_id = c.merchant_id and a.audit_no <= (c.position->>'auditNo')::bigint order by a.audit_no desc limit 1)
      where (c.position->>'auditNo')::bigint > 0
      union all
      select p."merchantId", 'batch ' || (c.position->>'batchNo'), c.position->>'batchHash', (
        select hash from ledger_batch b where b.merchant_id = c.merchant_id and b.batch_no <= (c.position->>'batchNo')::bigint order by b.batch_no desc limit 1)
      where (c.position->>'batchNo')::bigint > 0) as k
    where k.kept is distinct from k.now`,
};

export const walletRules: Rules = Object.fromEntries(
  Object.entries({ ...ruleBodies, ...settlementRuleBodies }).map(([rule, body]) => [
    rule,
    `with p as (select * from ${positionRows}) select * from (${body}) as broken`,
  ]),
);
