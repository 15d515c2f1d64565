import type { OrderKind } from '../core/order.ts';

/** An end by evidence until the channel reports the payment itself. */
const isReplaced = `p.use = 'evidence' and p.is_reported`;

/**
 * What operators decided beyond the payments of a payout: a proof that they accepted on the task market, unless the payment was in suspense already.
 */
const provedOnMarket = `
        union all
        select o.channel_id, 0, -o.amount where o.status = 'completed'
          and o.mode = 'market' and exists (select from order_transition t where t.merchant_id = o.merchant_id and t.order_no = o.order_no
            and t.trigger = 'proof_accepted') and exists (select from transfer t where t.merchant_id = o.merchant_id and t.order_no = o.order_no
            and t.cause = 'payout_settle' and t.credit like 'channel:%')`;

const outgoing = (row: string): string => `${row}.kind in ('payout_paid_again', 'payout_wrong_amount')`;

/**
 * What an order moved with each channel is what its payments say, and what operators decided: cases that they or a refund returned, and refunds that
 * left after they had failed. Below, money that came in counts above zero; a payout's is shown with the other sign.
 */
export const movementsOf = (kind: OrderKind): string => `
    select o.merchant_id, o.order_no as subject, format('channel %s: moved were %s, reported and decided %s', m.channel, m.moved, m.known) as detail
    from found o cross join lateral (
      select channel, ${kind === 'payin' ? '' : '-'}sum(moved) as moved, ${kind === 'payin' ? '' : '-'}sum(known) as known from (
        select substr(case when t.credit like 'channel:%' then t.credit else t.debit end, 9) as channel,
          case when t.credit like 'channel:%' then -t.amount else t.amount end as moved, 0::numeric as known
        from transfer t where t.merchant_id = o.merchant_id and t.order_no = o.order_no
          and (t.credit like 'channel:%' or t.debit like 'channel:%')
        union all
        select p.channel_id, 0, case
          when p.use = 'confirmed' or (${isReplaced}) then 0
          when p.direction = 'out' then -p.amount
          else p.amount end
        from (select channel_id, direction, use, amount, bool_or(use = 'credited') over () as is_reported
          from payment p where p.merchant_id = o.merchant_id and p.order_no = o.order_no) p${kind === 'payout' ? provedOnMarket : ''}
        union all
        select c.channel_id, 0, case when ${outgoing('c')} then c.amount - c.came_back else -c.amount end
        from (select * from money_case c where c.merchant_id = o.merchant_id and c.order_no = o.order_no and c.state = 'returned'
          and c.kind <> 'contradiction' offset 0) c
        cross join lateral (
          select from audit_record a where a.merchant_id = o.merchant_id and a.subject = 'case ' || c.case_no and a.action = 'returnCase'
          union all
          select from refund r where r.merchant_id = o.merchant_id and r.case_no = c.case_no and r.state = 'refunded' limit 1) a
        union all
        select f.channel_id, 0, -f.amount
        from (select c.case_no from money_case c where c.merchant_id = o.merchant_id and c.order_no = o.order_no offset 0) c
        cross join lateral (select * from refund f where f.merchant_id = o.merchant_id and f.case_no = c.case_no offset 0) f
        where f.state = 'failed' and f.transfer_no is not null
      ) as movement group by channel) m
    where o.kind = '${kind}' and m.moved <> m.known`;

/** The numbers in a name of the rows of the batch `b`: `c:7`, `a:3:9`. Null: it names other rows. */
const numberIn = (place: 2 | 3, name: string): string =>
  `case when b.name ~ '${name}' then split_part(b.name, ':', ${place})::bigint end`;
const ofCase = '^c:[0-9]{1,18}$';
const ofRecords = '^a:[0-9]{1,18}:[0-9]{1,18}$';

/**
 * Money of no order moved at the channel of what its batch says of it: a new case with its payment or settlement, a returned case, a case
 * of the platform that a merchant was credited, or a refund. Such transfers are few: the platform's, and those of settlements. `transfers` is SQL.
 */
export const movementsOfNoOrder = (transfers: string): string => `
    select t.merchant_id, 'transfer ' || t.transfer_no as subject, format('%s of %s, but nothing says so of channel %s', t.cause, t.amount, t.channel_id) as detail
    from (select t.*, substr(case when t.debit = 'suspense' then t.credit else t.debit end, 9) as channel_id from ${transfers}
      where t.order_no is null and t.cause in ('suspense_in', 'suspense_out') offset 0) t
    cross join lateral (
      with b as materialized (select unnest(b.rows) as name from ledger_batch b where b.merchant_id = t.merchant_id and b.batch_no = t.batch_no)
      select count(*) as times from (
        select c.channel_id, c.amount from b
        cross join lateral (select * from money_case c where c.merchant_id = t.merchant_id and c.case_no = ${numberIn(2, ofCase)} offset 0) c
        where c.order_no is null and coalesce((select true from payment p where p.merchant_id = c.merchant_id and p.order_no = c.payment_order_no
            and (p.batch_no, p.channel_id, p.amount) = (t.batch_no, c.channel_id, c.amount) limit 1),
          (select true from settlement s where s.merchant_id = c.merchant_id and s.payment_no = c.payment_order_no
            and (s.transfer_no, s.channel_id) = (t.transfer_no, c.channel_id) limit 1))
        union all
        select f.channel_id, f.amount from (select * from refund f where f.merchant_id = t.merchant_id and f.transfer_no = t.transfer_no offset 0) f
        union all
        -- What operators returned, or took over from the platform for a merchant.
        select c.channel_id, c.amount - c.came_back from b
        cross join lateral (select a.action, case when pg_input_is_valid(a.detail, 'jsonb') then a.detail::jsonb end as detail from audit_record a
          where a.merchant_id = t.merchant_id and a.audit_no >= ${numberIn(2, ofRecords)} and a.audit_no <= ${numberIn(3, ofRecords)}
            and a.action in ('returnCase', 'creditCase') offset 0) a
        cross join lateral (select jsonb_path_query(a.detail, '$.caseNo') as no union all select jsonb_path_query(a.detail, '$.alsoCaseNos[*]')) n
        cross join lateral (select * from money_case c where c.merchant_id = a.detail->>'merchantId'
          and c.case_no = case when n.no #>> '{}' ~ '^[0-9]{1,18}$' then (n.no #>> '{}')::bigint end offset 0) c
        where case a.action when 'returnCase' then c.state = 'returned' and c.merchant_id = t.merchant_id
          else c.state = 'credited' and c.merchant_id like 'PLATFORM-%' end
      ) as said where (channel_id, amount) = (t.channel_id, t.amount)) said
    where said.times = 0`;
