import { countedByWallet, isOfItsTime, neverDeleted } from './rules.ts';

/** Money that has no place yet, refunds, and money that is withheld. */
export const cases = `
create table money_case (
  merchant_id text references merchant,
  case_no bigint,
  kind text not null check (kind in ('late', 'double', 'wrong_amount', 'parts_of_unpaid', 'unmatched', 'payout_returned', 'payout_paid_again',
    'payout_wrong_amount', 'payout_underpaid', 'contradiction', 'settlement_failed')),
  state text not null default 'open' check (state in ('open', 'credited', 'returned', 'charged', 'written_off')),
  order_no text,
  channel_id text not null,
  reference text,
  currency text not null,
  amount numeric(14, 2) not null check (amount > 0),
  detail text not null,
  opened_at timestamptz(3) not null,
  closed_at timestamptz(3),
  batch_no bigint not null,
  -- Last, because these locks would hold up decisions about cases.
  refund_no text,
  payment_order_no text,
  came_back numeric(18, 2) not null default 0,
  primary key (merchant_id, case_no),
  constraint money_case_came_back_check check (came_back >= 0 and came_back <= amount and (came_back = 0
    or kind in ('payout_paid_again', 'payout_wrong_amount'))),
  constraint money_case_check check ((state = 'open') = (closed_at is null)),
  constraint money_case_left_check check (state not in ('charged', 'written_off') or kind in ('payout_paid_again', 'payout_wrong_amount')),
  constraint money_case_settlement_not_credited check (kind <> 'settlement_failed' or state <> 'credited')
);
create index money_case_open on money_case (opened_at) where state = 'open';
create index money_case_open_of_merchant on money_case (merchant_id) where state = 'open';
create index money_case_at on money_case (opened_at);
create index money_case_of_order on money_case (merchant_id, order_no) where order_no is not null;
create index money_case_by_amount on money_case (amount, merchant_id, case_no);
create index money_case_open_by_amount on money_case (amount, merchant_id, case_no) where state = 'open';
create index money_case_of_unknown on money_case (merchant_id, payment_order_no) where order_no is null and state in ('open', 'written_off');
create index money_case_rest on money_case (merchant_id, reference) where kind = 'wrong_amount' and state = 'credited';
create index money_case_credited on money_case (merchant_id, closed_at) where state = 'credited';

${countedByWallet('case', 'money_case')}

create function refuse_decision_while_refunding() returns trigger language plpgsql as $$
declare
  found_state pg_catalog.text := (select state from public.refund r where r.merchant_id = old.merchant_id and r.refund_no = old.refund_no);
begin
  -- Its own refund returns the case. After a failed one it is free again, for whatever the same transaction decides then.
  if (new.refund_no is not distinct from old.refund_no and new.state = 'returned' and found_state = 'refunded')
    or (new.refund_no is distinct from old.refund_no and old.state = 'open' and found_state = 'failed') then
    return new;
  end if;
  raise exception 'case % of %: refund % is %', old.case_no, old.merchant_id, old.refund_no, found_state using errcode = 'check_violation';
end $$;
create trigger decision_while_refunding before update on money_case for each row
  when (old.refund_no is not null and (old.state is distinct from new.state or old.refund_no is distinct from new.refund_no))
  execute function refuse_decision_while_refunding();

-- A case ends once: what it decided is never taken for something new. Only what had left can come back later.
create function refuse_second_end() returns trigger language plpgsql as $$
begin
  raise exception 'case % of %: it is % already', old.case_no, old.merchant_id, old.state using errcode = 'restrict_violation';
end $$;
create trigger ends_once before update on money_case for each row
  when (old.state <> 'open' and (old.state not in ('charged', 'written_off') or new.came_back <= old.came_back
    or new.state is distinct from old.state or new.closed_at is distinct from old.closed_at or new.refund_no is distinct from old.refund_no))
  execute function refuse_second_end();
create trigger holds_other_suspense after update on money_case for each row
  when (held_by_case(new.kind, new.state, new.amount, new.came_back) <> held_by_case(old.kind, old.state, old.amount, old.came_back))
  execute function count_suspense('case');
create trigger holds_suspense after insert on money_case for each row execute function count_suspense('case');

create function refuse_case_without_cause() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if owns(tg_relid) then
    return null;
  end if;
  if (new.state, new.came_back) is distinct from ('open', 0::numeric) or new.refund_no is not null or not exists (
      select from ledger_batch b where b.merchant_id = new.merchant_id and b.batch_no = new.batch_no and b.xmin = pg_current_xact_id()::xid
        and ${isOfItsTime('new.opened_at')})
    or not (case new.kind
      when 'contradiction' then exists (
        select from orders o where o.merchant_id = new.merchant_id and o.order_no = new.order_no and o.contradiction is not null)
      when 'parts_of_unpaid' then exists (
        select from orders o where o.merchant_id = new.merchant_id and o.order_no = new.order_no and o.kind = 'payin' and o.paid_amount >= new.amount
          and o.status not in ('created', 'processing', 'partial_paid'))
      when 'settlement_failed' then exists (
        select from settlement s where s.merchant_id = new.merchant_id and s.case_no = new.case_no and s.amount = new.amount)
      -- Operators decide what is left of other cases. A refund and a payment of a settlement that leave late are known by their transfers.
      else current_user in ('tidegate_api', 'tidegate_api_ledger') or exists (
          select from payment p where p.merchant_id = new.merchant_id and p.order_no = new.payment_order_no and p.batch_no = new.batch_no
            and p.channel_id = new.channel_id)
        or new.kind = 'payout_paid_again' and exists (
          select from transfer t where t.merchant_id = new.merchant_id and t.batch_no = new.batch_no and t.amount = new.amount and t.transfer_no in (
            select r.transfer_no from refund r where r.merchant_id = new.merchant_id and r.refund_ref = new.reference
            union all
            select s.transfer_no from settlement s where s.merchant_id = new.merchant_id and s.payment_no = new.payment_order_no))
    end)
  then
    raise exception 'case % of %: nothing of its batch causes it', new.case_no, new.merchant_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger has_cause after insert on money_case deferrable initially deferred for each row execute function refuse_case_without_cause();

create function refuse_undecided_case() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  is_outgoing boolean := new.kind in ('payout_paid_again', 'payout_wrong_amount');
  is_decided boolean := false;
begin
  if owns(tg_relid) then
    return null;
  end if;
  if new.refund_no is distinct from old.refund_no and new.refund_no is not null and not exists (
    select from refund r where r.merchant_id = new.merchant_id and r.refund_no = new.refund_no and r.case_no = new.case_no)
  then
    raise exception 'case % of %: there is no refund %', new.case_no, new.merchant_id, new.refund_no using errcode = 'check_violation';
  end if;
  if new.state = old.state and new.refund_no is null or new.state = 'returned' and (is_outgoing and new.came_back = new.amount or exists (
    select from refund r where r.merchant_id = new.merchant_id and r.refund_no = new.refund_no and r.case_no = new.case_no and r.state = 'refunded'))
  then
    return null;
  end if;
  -- The REST adapter decides nothing, and reads no records.
  if current_user not in ('tidegate_rest', 'tidegate_rest_ledger') then
    is_decided := exists (select from (
      select a.xmin as written_by, a.action, a.subject, a.detail::jsonb as detail from audit_record a
      where a.merchant_id = new.merchant_id order by a.audit_no desc limit 1000) a
    where a.written_by = pg_current_xact_id()::xid and (
      new.case_no = any(cases_of(a.detail)) and a.action =
        -- A refund that begins is the decision to return the case.
        case new.state when 'credited' then 'creditCase' when 'charged' then 'chargeCase' when 'written_off' then 'writeOffCase' else 'returnCase' end
      -- A payout that operators saw to be paid takes what had left for it.
      or is_outgoing and new.state = 'credited' and a.action in ('resolvePayout', 'acceptProof') and a.subject = new.order_no));
  end if;
  if not is_decided then
    raise exception 'case % of %: nobody decided that it is %', new.case_no, new.merchant_id, new.state using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger is_decided after update on money_case deferrable initially deferred for each row
  when (new.state <> old.state or new.refund_no is distinct from old.refund_no)
  execute function refuse_undecided_case();

create table refund (
  merchant_id text,
  refund_no text,
  case_no bigint not null,
  channel_id text not null,
  -- The order number and the reference by which the channel knows the payment.
  order_no text not null,
  reference text not null check (length(reference) >= 1 and length(reference) <= 128),
  currency text not null,
  amount numeric(14, 2) not null check (amount > 0),
  reason text not null,
  state text not null check (state in ('requested', 'accepted', 'refunded', 'failed')),
  refund_ref text check (length(refund_ref) >= 1 and length(refund_ref) <= 128),
  answer text,
  next_action text check (next_action in ('send', 'query')),
  next_action_at timestamptz(3),
  attempt integer not null,
  sends integer not null,
  -- Of a failed refund: its money left after it had failed.
  transfer_no bigint,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  ended_at timestamptz(3),
  command_id uuid,
  primary key (merchant_id, refund_no),
  constraint refund_check1 check ((next_action is null) = (next_action_at is null)),
  constraint refund_check3 check (state <> 'refunded' or transfer_no is not null),
  constraint refund_ended_at_of_state check ((ended_at is null) = (state in ('requested', 'accepted'))),
  constraint refund_next_action_of_state check (case state
    when 'refunded' then next_action is null
    when 'failed' then next_action is distinct from 'send'
    else next_action is not null end),
  constraint refund_send_check check (next_action <> 'send' or state = 'requested')
);
-- A case has one refund that is under way or that returned its money, and a transfer books one refund.
create unique index refund_once on refund (merchant_id, case_no) where state <> 'failed';
create unique index refund_transfer on refund (merchant_id, transfer_no) where transfer_no is not null;
create index refund_of_case on refund (merchant_id, case_no, created_at);
create index refund_due on refund (next_action_at) where next_action_at is not null;
create index refund_due_by_channel on refund (channel_id, next_action_at) where next_action_at is not null;

create function refuse_other_refund() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if owns(tg_relid) then
    return null;
  end if;
  if not exists (select from money_case c where c.merchant_id = new.merchant_id and c.case_no = new.case_no
      and (c.amount, c.currency, c.channel_id, c.reference) = (new.amount, new.currency, new.channel_id, new.reference)
      and (c.refund_no = new.refund_no or new.state = 'failed' or new.transfer_no is not null))
    or new.transfer_no is not null and not exists (select from transfer t where t.merchant_id = new.merchant_id and t.transfer_no = new.transfer_no
      and (t.cause, t.credit, t.amount) = ('suspense_out', 'channel:' || new.channel_id, new.amount))
  then
    raise exception 'refund %: it is not what its case holds', new.refund_no using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger of_its_case after insert or update on refund deferrable initially deferred for each row execute function refuse_other_refund();

create function refuse_refund_change() returns trigger language plpgsql as $$
begin
  raise exception 'refund %: it is % and cannot become %, nor as if it had not been sent', old.refund_no, old.state, new.state using errcode = 'restrict_violation';
end $$;
create trigger refund_goes_on before update on refund for each row
  when (new.attempt < old.attempt or new.sends < old.sends or old.transfer_no is not null and new.transfer_no is distinct from old.transfer_no
    or old.state = 'refunded' and new.state <> 'refunded' or old.state in ('accepted', 'failed') and new.state = 'requested'
    or old.state = 'failed' and new.state = 'accepted')
  execute function refuse_refund_change();
${neverDeleted('refund')}

-- What the running transaction moved in suspense beyond its cases and parts. It is 0 when the transaction ends.
create table unexplained_suspense (
  merchant_id text primary key references merchant,
  amount numeric(24, 2) not null,
  -- What left beyond its cases over money that left: never less than 0 when it ends. So no case cancels one of the other direction.
  outgoing numeric(24, 2) not null,
  moved_by xid8 not null
);

create function refuse_unexplained_suspense() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  u record;
begin
  select * into u from unexplained_suspense s where s.merchant_id = new.merchant_id;
  if u.amount <> 0 or u.outgoing < 0 then
    raise exception 'suspense of %: % moved that no case or payment explains', new.merchant_id, case u.amount when 0 then u.outgoing else u.amount end
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger is_explained after insert or update on unexplained_suspense deferrable initially deferred for each row
  when (new.amount <> 0 or new.outgoing < 0)
  execute function refuse_unexplained_suspense();

-- How far the money of a wrongly declared channel is withheld. Until it ends, merchants after the last one pay nothing out that have money of the channel.
create table money_withholding (
  channel_id text primary key references channel,
  through_merchant text not null default '',
  began_at timestamptz(3) not null default clock_timestamp(),
  ended_at timestamptz(3)
);
${neverDeleted('money_withholding')}

create table withheld_money (
  merchant_id text references merchant,
  channel_id text references channel,
  -- What the channel was said to have received for the merchant, less what it returned.
  amount numeric(18, 2) not null check (amount >= 0),
  released numeric(18, 2) not null default 0 check (released >= 0),
  changed_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, channel_id)
);
create constraint trigger held_by_wallet after insert or update on withheld_money deferrable initially deferred for each row execute function refuse_other_withheld();

-- Released money stays released, and what is withheld never becomes less otherwise.
create function refuse_less_withheld() returns trigger language plpgsql as $$
begin
  raise exception 'money withheld of % at %: it is only released', old.merchant_id, old.channel_id using errcode = 'restrict_violation';
end $$;
create trigger only_released before update on withheld_money for each row
  when (new.amount < old.amount or new.released < old.released or new.merchant_id <> old.merchant_id or new.channel_id <> old.channel_id)
  execute function refuse_less_withheld();

-- Withheld or released by the record that says so: the amounts that it names and leaves.
create function require_record_of_withheld() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  was_amount numeric := case tg_op when 'INSERT' then 0 else old.amount end;
  was_released numeric := case tg_op when 'INSERT' then 0 else old.released end;
begin
  if owns(tg_relid) or tg_op = 'UPDATE' and to_jsonb(new) - 'changed_at' = to_jsonb(old) - 'changed_at'
    or new.released = was_released and exists (
      select from (select a.xmin as written_by, a.* from audit_record a where a.merchant_id = 'PLATFORM' order by a.audit_no desc limit 100) a
      where a.written_by = pg_current_xact_id()::xid and a.action = 'withdrawDeclaration' and a.subject = new.channel_id
        and a.detail::jsonb @> jsonb_build_object('after', jsonb_build_object('withheld', jsonb_build_array(
          jsonb_build_object('merchantId', new.merchant_id, 'withheld', (new.amount - new.released)::text)))))
    or new.amount = was_amount and exists (
      select from (select a.xmin as written_by, a.* from audit_record a where a.merchant_id = new.merchant_id order by a.audit_no desc limit 100) a
      where a.written_by = pg_current_xact_id()::xid and a.action = 'releaseWithheld' and a.subject = 'withheld ' || new.channel_id
        and (a.detail::jsonb #>> '{after,released}')::numeric = new.released - was_released
        and (a.detail::jsonb #>> '{after,withheld}')::numeric = new.amount - new.released)
  then
    return null;
  end if;
  raise exception '% of withheld_money without its audit record in the same transaction', lower(tg_op) using errcode = 'check_violation';
end $$;
create constraint trigger recorded after insert or update on withheld_money deferrable initially deferred for each row execute function require_record_of_withheld();
${neverDeleted('withheld_money')}
`;
