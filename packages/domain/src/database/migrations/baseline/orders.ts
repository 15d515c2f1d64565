import { appendOnly, isOfNextBatch, neverDeleted } from './rules.ts';

/** Orders and their transitions. */
export const orders = `
-- The transition table of the domain, without triggers: which status may follow which. A test compares the two.
create table transition_rule (
  kind text,
  country text,
  "from" text not null,
  "to" text not null,
  primary key (kind, country, "from", "to")
);

create table proof_reference (
  country text,
  -- In capital letters and digits alone: people type the same reference in several ways.
  reference text,
  -- Over all merchants, so that it is no merchant's row.
  owner text not null,
  order_no text not null,
  primary key (country, reference)
);

create table orders (
  merchant_id text references merchant,
  order_no text,
  merchant_order_no text not null check (octet_length(merchant_order_no) >= 1 and octet_length(merchant_order_no) <= 64
    and merchant_order_no !~ '[^!-~]'),
  kind text not null,
  country text not null,
  currency text not null,
  mode text not null check (mode in ('upstream', 'market', 'manual')),
  status text not null,
  amount numeric(14, 2) not null check (amount > 0),
  fee_amount numeric(14, 2) not null check (fee_amount >= 0),
  net_amount numeric(14, 2) not null check (net_amount > 0),
  paid_amount numeric(14, 2) not null,
  fee_terms jsonb not null,
  bank_code text check (length(bank_code) <= 64),
  channel_id text not null,
  channel_bank_code text,
  channel_ref text,
  pay_link text,
  pay_qr text,
  notify_url text check (length(notify_url) <= 512),
  details jsonb not null,
  task jsonb,
  failure_reason text check (length(failure_reason) <= 300),
  next_action text check (next_action in ('submit', 'poll', 'expire')),
  next_action_at timestamptz(3),
  attempt integer not null,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  completed_at timestamptz(3),
  traceparent text,
  contradiction text,
  command_id uuid,
  batch_no bigint not null,
  primary key (merchant_id, order_no),
  unique (merchant_id, merchant_order_no),
  constraint orders_check check (paid_amount >= 0 and paid_amount <= amount),
  constraint orders_check4 check (net_amount =
case kind
    when 'payin' then amount - fee_amount
    else amount + fee_amount
end),
  constraint orders_check6 check ((status = 'completed') = (completed_at is not null)),
  constraint orders_check7 check ((next_action is null) = (next_action_at is null)),
  constraint orders_order_no_check check (octet_length(order_no) >= 3 and octet_length(order_no) <= 32 and order_no !~ '[^0-9A-Z]' and "left"(order_no, 2) =
case kind
    when 'payin' then 'PI'
    else 'PO'
end)
);
create index orders_open_payouts on orders (created_at) where kind = 'payout' and status in ('created', 'processing', 'market_available');
create index orders_due on orders (next_action_at) where next_action is not null;
-- What is open at a merchant: few rows, whatever its history.
create index orders_held on orders (merchant_id) include (net_amount) where kind = 'payout'
  and status in ('created', 'processing', 'market_available');
create index orders_with_parts on orders (merchant_id) include (paid_amount) where kind = 'payin' and paid_amount > 0
  and status in ('created', 'processing', 'partial_paid');
-- Each costs the creation of an order some 1 to 3 µs; what is behind the time in the key is sorted among the few of one millisecond.
create index orders_by_time on orders (created_at);
-- Only for statements that say the same of created_at: the ledger writer's look-ups by merchant and number, planned while the table is small, would
-- else take this index for as good as the key, and read a merchant's whole history once there is one.
create index orders_by_merchant_time on orders (merchant_id, created_at) where created_at > '-infinity'::timestamp with time zone;
create index orders_open_payins on orders (created_at) where kind = 'payin' and status in ('created', 'processing', 'partial_paid');
create index orders_due_by_channel on orders (next_action, channel_id, next_action_at) where next_action is not null;
create index orders_group_by_time on orders (country, kind, status, channel_id, coalesce(bank_code, ''), coalesce(failure_reason, ''), created_at,
  amount) where status in ('completed', 'failed', 'timeout', 'cancelled');
create index orders_group_by_amount on orders (country, kind, status, channel_id, coalesce(bank_code, ''), coalesce(failure_reason, ''), amount,
  created_at) where status in ('completed', 'failed', 'timeout', 'cancelled');
create index orders_group_by_completion on orders (country, kind, status, channel_id, coalesce(bank_code, ''), coalesce(failure_reason, ''),
  completed_at, amount) where completed_at is not null;
create index orders_merchant_group_by_time on orders (merchant_id, kind, status, channel_id, coalesce(bank_code, ''), coalesce(failure_reason, ''),
  created_at, amount) where status in ('completed', 'failed', 'timeout', 'cancelled') and created_at > '-infinity'::timestamp with time zone;
create index orders_merchant_group_by_amount on orders (merchant_id, kind, status, channel_id, coalesce(bank_code, ''), coalesce(failure_reason, ''),
  amount, created_at) where status in ('completed', 'failed', 'timeout', 'cancelled') and created_at > '-infinity'::timestamp with time zone;
create index orders_merchant_group_by_completion on orders (merchant_id, kind, status, channel_id, coalesce(bank_code, ''), coalesce(failure_reason,
  ''), completed_at, amount) where completed_at is not null and created_at > '-infinity'::timestamp with time zone;
create index orders_by_channel_ref on orders (channel_ref) where channel_ref is not null;
create index orders_ended_by_amount on orders (amount, created_at) where status in ('completed', 'failed', 'timeout', 'cancelled') and order_no > '';
create index orders_ended_by_completion on orders (completed_at) where completed_at is not null and order_no > '';

-- An order begins in one of three statuses, if its country offers this kind of order and has the status at all. Nothing is
-- sent for a payout whose amount was not frozen. What the wallet does not count yet is of the same batch, so no plan
-- reads the whole history of a merchant.
create function refuse_false_orders() returns trigger language plpgsql as $$
declare
  false_order pg_catalog.record;
begin
  select o.* into false_order from (
    select o.order_no, o.kind, o.country, o.status, o.currency, o.status not in ('created', 'processing', 'market_available') or (
        select true from public.transition_rule r where r.kind = o.kind and r.country = o.country and o.status in (r."from", r."to") limit 1) is null as is_no_beginning,
      (select true from public.country c where c.code = o.country and c.currency = o.currency) is null as is_no_country,
      (select true from public.channel c where c.channel_id = o.channel_id) is null as is_nowhere,
      o.kind = 'payout' and (
        select true from public.wallet w join public.wallet_entry e on e.merchant_id = w.merchant_id and e.entry_no > w.last_entry_no
          where w.merchant_id = o.merchant_id and e.order_no = o.order_no and e.type = 'PAYOUT_FREEZE' and e.frozen_change = o.net_amount
          limit 1) is null as is_unfrozen
    from new_rows o offset 0) o where o.is_no_beginning or o.is_no_country or (o.is_unfrozen or o.is_nowhere) and not public.owns(tg_relid) limit 1;
  if not found then
    return null;
  elsif false_order.is_no_beginning then
    raise exception 'order %: no % of % begins as %', false_order.order_no, false_order.kind, false_order.country, false_order.status
      using errcode = 'check_violation';
  elsif false_order.is_no_country then
    raise exception 'order %: % with % is no country of the service', false_order.order_no, false_order.country, false_order.currency
      using errcode = 'check_violation';
  elsif false_order.is_nowhere then
    raise exception 'order %: its channel is not there', false_order.order_no using errcode = 'check_violation';
  end if;
  raise exception 'payout %: its wallet has frozen nothing for it', false_order.order_no using errcode = 'check_violation';
end $$;
create trigger begins_as_it_may after insert on orders referencing new table as new_rows for each statement execute function refuse_false_orders();

create function held_by_case(kind text, state text, amount numeric, came_back numeric) returns numeric language sql immutable as $$
  select case
    when state <> 'open' or kind in ('contradiction', 'settlement_failed') then 0
    when kind in ('payout_paid_again', 'payout_wrong_amount') then came_back - amount
    else amount end
$$;

create function held_by_payin(kind text, status text, paid_amount numeric) returns numeric language sql immutable as $$
  select case when kind = 'payin' and status in ('created', 'processing', 'partial_paid') then paid_amount else 0 end
$$;

-- With the rights of the owner: no role writes the sums itself.
create function count_suspense() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  moved numeric;
  -- What left beyond the cases over money that left.
  outgoing numeric := 0;
begin
  case tg_argv[0]
    when 'transfer' then
      moved := case when new.credit = 'suspense' then new.amount else 0 end - case when new.debit = 'suspense' then new.amount else 0 end;
      outgoing := case when new.cause = 'suspense_out' then new.amount
        -- A merchant or the platform bears what left.
        when new.credit = 'suspense' and new.cause in ('adjustment', 'reconciliation') then -new.amount else 0 end;
    when 'case' then
      moved := -held_by_case(new.kind, new.state, new.amount, new.came_back);
      if tg_op = 'UPDATE' then
        moved := moved + held_by_case(old.kind, old.state, old.amount, old.came_back);
      end if;
      if new.kind in ('payout_paid_again', 'payout_wrong_amount') then
        outgoing := -moved;
      end if;
    when 'payin' then
      moved := -held_by_payin(new.kind, new.status, new.paid_amount);
      if tg_op = 'UPDATE' then
        moved := moved + held_by_payin(old.kind, old.status, old.paid_amount);
      end if;
  end case;
  insert into unexplained_suspense as u (merchant_id, amount, outgoing, moved_by) values (new.merchant_id, moved, outgoing, pg_current_xact_id())
    on conflict (merchant_id) do update set amount = u.amount + excluded.amount, moved_by = excluded.moved_by,
      outgoing = case when u.moved_by = excluded.moved_by then u.outgoing else 0 end + excluded.outgoing;
  return null;
end $$;
create trigger holds_other_parts after update of status, paid_amount on orders for each row
  when (new.kind = 'payin' and held_by_payin(new.kind, new.status, new.paid_amount) <> held_by_payin(old.kind, old.status, old.paid_amount))
  execute function count_suspense('payin');
create trigger holds_parts after insert on orders for each row
  when (new.kind = 'payin' and new.paid_amount <> 0 and new.status in ('created', 'processing', 'partial_paid'))
  execute function count_suspense('payin');

-- What has ended is not sent, and no channel is asked to pay what operators pay.
create function refuse_submit() returns trigger language plpgsql as $$
begin
  if not owns(tg_relid) then
    raise exception 'order %: it is %, of the mode %, and not sent', new.order_no, new.status, new.mode using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger made_to_be_sent before insert on orders for each row
  when (new.next_action = 'submit' and new.mode <> 'upstream')
  execute function refuse_submit();

create function refuse_send_of_paid() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from payment p where p.merchant_id = new.merchant_id and p.order_no = new.order_no) then
    raise exception 'payout %: money is known to have left for it', new.order_no using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger not_sent_again before update of next_action on orders for each row
  when (new.kind = 'payout' and new.next_action = 'submit' and old.next_action is distinct from 'submit')
  execute function refuse_send_of_paid();
create trigger open_to_be_sent before update on orders for each row
  when (new.next_action = 'submit' and (new.mode <> 'upstream' or new.status in ('completed', 'failed', 'timeout', 'cancelled')))
  execute function refuse_submit();

create function refuse_impossible_transition() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not exists (
    select from public.transition_rule r where r.kind = new.kind and r.country = new.country and r."from" = old.status and r."to" = new.status
  ) then
    raise exception 'order %: % to % is impossible', new.order_no, old.status, new.status using errcode = 'check_violation';
  end if;
  if (new.merchant_order_no, new.kind, new.country, new.currency, new.amount, new.fee_amount, new.net_amount, new.fee_terms, new.created_at)
    is distinct from
     (old.merchant_order_no, old.kind, old.country, old.currency, old.amount, old.fee_amount, old.net_amount, old.fee_terms, old.created_at) then
    raise exception 'order %: what it is about never changes', new.order_no using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger possible_transition before update on orders for each row execute function refuse_impossible_transition();

-- Only triggers of the owner run it: no role may write the table.
create function take_reference(of_country text, typed text, of_owner text, of_order text) returns void language plpgsql as $$
declare
  plain pg_catalog.text := plain_reference(typed);
  holder public.proof_reference;
begin
  -- Waits for whoever is taking it in another transaction.
  insert into public.proof_reference values (of_country, plain, of_owner, of_order) on conflict do nothing;
  -- Of two that want it from the one that gave it free the second waits here, and then sees what the first one wrote.
  select r.* into strict holder from public.proof_reference r where r.country = of_country and r.reference = plain for update;
  if (holder.owner, holder.order_no) = (of_owner, of_order) then
    return;
  end if;
  if exists (select from public.orders o where o.merchant_id = holder.owner and o.order_no = holder.order_no
      and (o.kind = 'payin' or plain_reference(o.task->'proof'->>'reference') = plain))
    or exists (select from public.payment p where p.merchant_id = holder.owner and p.order_no = holder.order_no
      and plain_reference(p.reference) = plain) then
    raise exception 'order %: its bank reference stands for another transfer', of_order
      using errcode = 'unique_violation', constraint = 'proof_reference_pkey';
  end if;
  update public.proof_reference r set owner = of_owner, order_no = of_order where r.country = of_country and r.reference = plain;
end $$;

create function keep_proof_reference() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform take_reference(new.country, new.task->'proof'->>'reference', new.merchant_id, new.order_no);
  return new;
end $$;
create trigger proof_reference_once before update on orders for each row
  when (new.task is distinct from old.task and ((new.task -> 'proof') ->> 'reference') is not null)
  execute function keep_proof_reference();

create function refuse_other_send() returns trigger language plpgsql as $$
begin
  if not owns(tg_relid) then
    raise exception 'payout %: it is not sent elsewhere, nor as if it had not been sent', old.order_no using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger sent_once before update on orders for each row
  when (old.kind = 'payout' and (new.channel_id <> old.channel_id or new.channel_bank_code is distinct from old.channel_bank_code
    or old.channel_ref is not null and new.channel_ref is distinct from old.channel_ref or new.attempt < old.attempt and new.mode = 'upstream'
    and new.status not in ('completed', 'failed', 'timeout', 'cancelled')))
  execute function refuse_other_send();

-- A payin that its channel refused goes to another one, not to a name whose statements nobody expects.
create function refuse_order_without_channel() returns trigger language plpgsql as $$
begin
  if not owns(tg_relid) and not exists (select from public.channel c where c.channel_id = new.channel_id) then
    raise exception 'order %: its channel is not there', new.order_no using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger at_a_channel before update on orders for each row
  when (new.kind = 'payin' and new.channel_id <> old.channel_id)
  execute function refuse_order_without_channel();
${neverDeleted('orders')}

-- The task of a payout is what operators and workers do with it.
create function refuse_change_of_task() returns trigger language plpgsql as $$
begin
  raise exception 'order %: no request of a merchant changes its task', old.order_no using errcode = 'insufficient_privilege';
end $$;
create trigger task_of_operators before update on orders for each row
  when (current_user = 'tidegate_rest_ledger' and new.task is distinct from old.task)
  execute function refuse_change_of_task();

create table order_transition (
  merchant_id text,
  order_no text,
  seq integer,
  "from" text not null,
  "to" text not null,
  trigger text not null,
  actor text not null,
  detail text,
  at timestamptz(3) not null,
  batch_no bigint not null,
  primary key (merchant_id, order_no, seq)
);
-- What happened to orders since the last run, and what a ledger's rules ask of an order.
create index order_transition_at on order_transition (at);
${appendOnly('order_transition')}

-- The next step of an order has the next number, begins where the one before ended, and comes not before it: a number or
-- a time far ahead would be the last one for good. It belongs to a batch as payments do.
create function refuse_unnumbered_transition() returns trigger language plpgsql as $$
declare
  lonely pg_catalog.text;
begin
  select n.seq || ' of ' || n.order_no into lonely from new_rows n where case when n.seq = 1 then n."from" = 'new' else (
    select p.at <= n.at and p."to" = n."from" from public.order_transition p where p.merchant_id = n.merchant_id and p.order_no = n.order_no and p.seq = n.seq - 1) end is not true limit 1;
  if lonely is not null and not public.owns(tg_relid) then
    raise exception 'step %: it does not follow the one before', lonely using errcode = 'check_violation';
  end if;
  select n.seq || ' of ' || n.order_no into lonely from new_rows n where ${isOfNextBatch('n.at')} is not true limit 1;
  if lonely is not null and not public.owns(tg_relid) then
    raise exception 'step %: its wallet does not count it', lonely using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger follows_the_last after insert on order_transition referencing new table as new_rows
  for each statement execute function refuse_unnumbered_transition();
`;
