import { appendOnly, isOfNextBatch, numbered } from './rules.ts';

/** Whether a payment is of no order: money under a channel's own numbers, and what a channel pays for a settlement. */
const isOfNoOrder = (row: 'n' | 'new'): string => `(${row}.merchant_id ^@ 'PLATFORM-' or ${row}.order_no ^@ 'SP')`;

/** Whether a process without operators writes a payment `n` that operators have seen. */
const isSeen = `(n.use = 'evidence' and current_user in ('tidegate_rest', 'tidegate_rest_ledger', 'tidegate_worker', 'tidegate_worker_ledger'))`;

/**
 * What channels, operators and statements reported as moved. A row keeps a report of the same money from being booked again, so each has its own
 * money (ADR 0034).
 */
export const payments = `
create table payment (
  merchant_id text,
  order_no text,
  seq integer check (seq > 0),
  direction text not null check (direction in ('in', 'out', 'back')),
  -- As the channel wrote it: a payment and its return may have the same one.
  reference text check (length(reference) >= 1 and length(reference) <= 128),
  channel_id text not null,
  amount numeric(14, 2) not null check (amount > 0),
  use text not null check (use in ('credited', 'part', 'suspense', 'unasked', 'returned', 'evidence', 'confirmed')),
  received_at timestamptz(3) not null,
  batch_no bigint not null,
  line text,
  primary key (merchant_id, order_no, seq),
  constraint payment_direction_of_use check (use = 'confirmed' or (use = 'returned') = (direction = 'back')),
  constraint payment_reference_of_use check (case use when 'evidence' then reference is null when 'suspense' then true else reference is not null end)
);
create index payment_by_reference on payment (reference);
-- What a channel reports is booked once. What a statement shows may have the same reference.
create unique index payment_reported_once on payment (merchant_id, order_no, reference, direction, channel_id) where line is null;
${appendOnly('payment')}
${numbered('payment', ['merchant_id', 'order_no'], 'seq')}

-- Whether a report confirms what was booked for a line of a statement, and no other report does.
create function confirms_line(of_merchant text, its_order text, its_seq integer) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from payment n
    join payment p on (p.merchant_id, p.order_no, p.line, p.channel_id, p.direction, p.amount) = (n.merchant_id, n.order_no, n.line, n.channel_id, n.direction, n.amount)
    where (n.merchant_id, n.order_no, n.seq) = (of_merchant, its_order, its_seq) and p.seq < n.seq and p.use <> 'confirmed' and not exists (
      select from payment o where (o.merchant_id, o.order_no, o.line, o.use) = (n.merchant_id, n.order_no, n.line, n.use) and o.seq <> n.seq))
$$;

-- Whether a batch moved what its payments of an order and a channel say. The first report after operators have settled a payout moves only what differs
-- from what they saw. A refund moves money of its own, and so do operators.
create function is_moved(of_merchant text, its_order text, its_seq integer) returns boolean language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
declare
  n record;
  first_report record;
  said record;
  moved record;
begin
  select p.channel_id, p.batch_no, p.use into n from payment p where p.merchant_id = of_merchant and p.order_no = its_order and p.seq = its_seq;
  if n.use = 'confirmed' then
    return confirms_line(of_merchant, its_order, its_seq);
  end if;
  -- The report that takes the place of what operators saw, and how much more it is.
  select c.seq, c.amount - e.amount as more into first_report from payment c join payment e using (merchant_id, order_no, channel_id)
    where c.merchant_id = of_merchant and c.order_no = its_order and (c.channel_id, c.batch_no, c.use, c.direction) = (n.channel_id, n.batch_no, 'credited', 'out')
      and e.use = 'evidence' and e.seq < c.seq and not exists (
        select from payment o where o.merchant_id = of_merchant and o.order_no = its_order and o.use = 'credited' and o.seq < c.seq);
  select coalesce(sum(m.amount) filter (where m.direction <> 'out'), 0) as came, coalesce(sum(m.amount) filter (where m.direction = 'out'), 0) as gone into said from (
    select p.direction, p.amount from payment p where p.merchant_id = of_merchant and p.order_no = its_order and (p.channel_id, p.batch_no) = (n.channel_id, n.batch_no)
      and p.use <> 'confirmed' and p.seq is distinct from first_report.seq
    union all
    select case when first_report.more > 0 then 'out' else 'back' end, abs(first_report.more) where first_report.more is not null) m;
  select coalesce(sum(t.amount) filter (where t.debit = 'channel:' || n.channel_id), 0) as came,
    coalesce(sum(t.amount) filter (where t.credit = 'channel:' || n.channel_id), 0) as gone into moved
    from transfer t where t.merchant_id = of_merchant and t.order_no = its_order and t.batch_no = n.batch_no
      and t.transfer_no > (select w.last_transfer_no from wallet w where w.merchant_id = of_merchant)
      and not exists (select from refund r where r.merchant_id = of_merchant and r.transfer_no = t.transfer_no);
  if current_user in ('tidegate_api', 'tidegate_api_ledger') then
    return moved.came >= said.came and moved.gone >= said.gone;
  end if;
  return (moved.came, moved.gone) = (said.came, said.gone);
end $$;

-- A payment belongs to a batch that its wallet does not count yet, as entries and transfers do, and its money moved in this batch. Else somebody could
-- take the reference of a payment beforehand, and the channel's report of it would book nothing. Transfers are written before payments. Both are
-- found by their order and by what the wallet does not count yet, so no plan reads the history of a merchant. Only operators settle by what they saw.
create function refuse_unbatched_payment() returns trigger language plpgsql as $$
declare
  false_payment pg_catalog.record;
begin
  select n.order_no, n.seq, case when ${isOfNextBatch('n.received_at')} is not true then 'its wallet does not count it'
      when ${isSeen} then 'only operators settle by evidence' else 'its batch does not move its money' end as why into false_payment from new_rows n
  where ${isOfNextBatch('n.received_at')} is not true or ${isSeen} or not ${isOfNoOrder('n')} and (n.order_no ^@ 'PI' = (n.direction = 'in') and (
      -- The first payment of an order, and all that moved: the most frequent case.
      n.seq = 1 and n.use <> 'confirmed' and case n.direction when 'out' then -n.amount else n.amount end = (
        select sum(case 'channel:' || n.channel_id when t.debit then t.amount when t.credit then -t.amount end) from public.transfer t
        where t.merchant_id = n.merchant_id and t.order_no = n.order_no and t.batch_no = n.batch_no
          and t.transfer_no > (select w.last_transfer_no from public.wallet w where w.merchant_id = n.merchant_id))
      or public.is_moved(n.merchant_id, n.order_no, n.seq))) is not true limit 1;
  if false_payment is not null and not public.owns(tg_relid) then
    raise exception 'payment % of %: %', false_payment.seq, false_payment.order_no, false_payment.why using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger of_next_batch after insert on payment referencing new table as new_rows
  for each statement execute function refuse_unbatched_payment();

-- Money of no order has a case of its own, which suspense backs. Without one it is the payment of a settlement, or its return, which the REST adapter
-- never records: the settlement books these itself, at most once, also before its channel reports them, or a line of a statement that was posted shows them.
create function refuse_unbooked_payment() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  is_booked boolean;
  its_settlement record;
begin
  if owns(tg_relid) then
    return null;
  end if;
  if new.use = 'confirmed' then
    is_booked := confirms_line(new.merchant_id, new.order_no, new.seq);
  else
    is_booked := (
        select count(*) from money_case c where c.merchant_id = new.merchant_id and c.payment_order_no = new.order_no and c.order_no is null and c.state = 'open'
          and c.case_no > (select w.last_case_no - 1000 from wallet w where w.merchant_id = new.merchant_id)
          and (c.batch_no, c.channel_id, c.reference, c.amount) = (new.batch_no, new.channel_id, new.reference, new.amount) and c.kind = any (case new.direction
            when 'in' then array['unmatched'] when 'out' then array['payout_paid_again', 'payout_wrong_amount'] else array['payout_returned', 'wrong_amount'] end))
      >= (select count(*) from payment p where p.merchant_id = new.merchant_id and p.order_no = new.order_no and p.use <> 'confirmed'
          and (p.batch_no, p.channel_id, p.reference, p.amount, p.direction) = (new.batch_no, new.channel_id, new.reference, new.amount, new.direction));
  end if;
  if not is_booked and not new.merchant_id ^@ 'PLATFORM-' and new.use in ('credited', 'part', 'returned')
    and current_user not in ('tidegate_rest', 'tidegate_rest_ledger') then
    select s.settlement_no, s.state, s.amount, s.transfer_no into its_settlement from settlement s
      where s.merchant_id = new.merchant_id and s.payment_no = new.order_no and s.channel_id = new.channel_id;
    if not found then
      null;
    elsif new.line is not null then
      is_booked := exists (
        select from reconciliation_break b where b.merchant_id = (select 'PLATFORM-' || m.country from merchant m where m.merchant_id = new.merchant_id)
          and b.subject = 'line ' || new.line and b.state = 'posted' and b.channel_id = new.channel_id and b.names in (its_settlement.settlement_no, new.order_no));
    elsif new.use = 'returned' then
      is_booked := its_settlement.state = 'failed' and its_settlement.amount = new.amount and not exists (
        select from payment p where p.merchant_id = new.merchant_id and p.order_no = new.order_no and p.use = new.use and p.amount = new.amount and p.seq < new.seq);
    else
      is_booked := (new.use = 'credited' or its_settlement.transfer_no is not null) and its_settlement.amount >= (
        select sum(p.amount) from payment p where p.merchant_id = new.merchant_id and p.order_no = new.order_no and p.use in ('credited', 'part') and p.line is null);
    end if;
  end if;
  if not is_booked then
    raise exception 'payment % of %: neither a case nor a settlement has its money', new.seq, new.order_no using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger is_booked after insert on payment deferrable initially deferred for each row
  when (${isOfNoOrder('new')})
  execute function refuse_unbooked_payment();
`;
