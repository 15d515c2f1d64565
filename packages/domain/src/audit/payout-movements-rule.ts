/**
 * What a payout moved with each channel, out less back, is what its payments say, and what operators decided: a proof that they accepted on the
 * task market, unless the payment was in suspense already, an end by evidence until the channel reports the payment itself, and cases that they returned.
 */
export const payoutMovements = `
    select o.merchant_id, o.order_no as subject, format('channel %s: moved were %s, reported and decided %s', m.channel, m.moved, m.known) as detail
    from found o cross join lateral (
      select channel, sum(moved) as moved, sum(known) as known from (
        select substr(case when t.credit like 'channel:%' then t.credit else t.debit end, 9) as channel,
          case when t.credit like 'channel:%' then t.amount else -t.amount end as moved, 0::numeric as known
        from transfer t where t.merchant_id = o.merchant_id and t.order_no = o.order_no
          and (t.credit like 'channel:%' or t.debit like 'channel:%')
        union all
        select p.channel_id, 0, case
          when p.use = 'returned' then -p.amount
          when p.use = 'confirmed' or (p.use = 'evidence' and p.is_reported) then 0
          else p.amount end
        from (select channel_id, reference, use, amount, bool_or(use = 'credited') over () as is_reported
          from payment p where p.merchant_id = o.merchant_id and p.order_no = o.order_no) p
        union all
        select o.channel_id, 0, o.amount where o.status = 'completed'
          and o.mode = 'market' and exists (select from order_transition t where t.merchant_id = o.merchant_id and t.order_no = o.order_no
            and t.trigger = 'proof_accepted') and exists (select from transfer t where t.merchant_id = o.merchant_id and t.order_no = o.order_no
            and t.cause = 'payout_settle' and t.credit like 'channel:%')
        union all
        select c.channel_id, 0, case when c.kind in ('payout_paid_again', 'payout_wrong_amount') then c.came_back - c.amount else c.amount end
        from (select * from money_case c where c.merchant_id = o.merchant_id and c.order_no = o.order_no and c.state = 'returned'
          and c.kind <> 'contradiction' offset 0) c
        cross join lateral (
          select from audit_record a where a.merchant_id = o.merchant_id and a.subject = 'case ' || c.case_no and a.action = 'returnCase' limit 1) a
      ) as movement group by channel) m
    where o.kind = 'payout' and m.moved <> m.known`;
