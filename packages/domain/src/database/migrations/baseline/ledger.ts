import { appendOnly, countedByWallet, neverDeleted, ofNextBatch } from './rules.ts';

/** Wallets, their entries, transfers between accounts, and the batches that commit them. */
export const ledger = `
create table wallet (
  merchant_id text primary key references merchant,
  currency text not null,
  available numeric(18, 2) not null default 0 check (available >= 0),
  frozen numeric(18, 2) not null default 0 check (frozen >= 0),
  last_entry_no bigint not null default 0,
  last_transfer_no bigint not null default 0,
  last_case_no bigint not null default 0,
  last_audit_no bigint not null default 0,
  updated_at timestamptz(3) not null default clock_timestamp(),
  last_batch_no bigint not null default 0,
  last_batch_hash text not null default '0000000000000000000000000000000000000000000000000000000000000000',
  withheld numeric(18, 2) not null default 0 check (withheld >= 0),
  -- The time of the merchant's last row in the ledger. Nothing is recorded before it.
  recorded_at timestamptz(3) not null default '1970-01-01 00:00:00+00'
) with (fillfactor = 50);

create function refuse_wallet_change() returns trigger language plpgsql as $$
begin
  raise exception 'wallet of %: it begins empty, keeps its merchant and currency, and its numbers, hash and times only go on', new.merchant_id
    using errcode = 'restrict_violation';
end $$;
create trigger begins_empty before insert on wallet for each row
  when (new.available <> 0 or new.frozen <> 0 or new.last_entry_no <> 0 or new.last_transfer_no <> 0 or new.last_batch_no <> 0)
  execute function refuse_wallet_change();

-- Nor does a wallet count what is not there. Who reads no records writes none: each table is asked only where it counts.
create function refuse_uncovered_numbers() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  rows bigint;
begin
  if owns(tg_relid) then
    return null;
  end if;
  if new.last_case_no <> old.last_case_no then
    select count(*) into rows from money_case c where c.merchant_id = new.merchant_id and c.case_no > old.last_case_no and c.case_no <= new.last_case_no;
    if rows <> new.last_case_no - old.last_case_no then
      raise exception 'wallet of %: it counts cases that are not there', new.merchant_id using errcode = 'check_violation';
    end if;
  end if;
  if new.last_audit_no <> old.last_audit_no then
    select count(*) into rows from audit_record a
      where a.merchant_id = new.merchant_id and a.audit_no > old.last_audit_no and a.audit_no <= new.last_audit_no;
    if rows <> new.last_audit_no - old.last_audit_no then
      raise exception 'wallet of %: it counts records that are not there', new.merchant_id using errcode = 'check_violation';
    end if;
  end if;
  return null;
end $$;
create constraint trigger counts_what_is_there after update on wallet deferrable initially deferred for each row
  when (new.last_audit_no <> old.last_audit_no or new.last_case_no <> old.last_case_no)
  execute function refuse_uncovered_numbers();
create trigger goes_on before update on wallet for each row
  when (new.last_batch_no = old.last_batch_no and new.last_batch_hash <> old.last_batch_hash
    or new.recorded_at < old.recorded_at or new.merchant_id <> old.merchant_id or new.currency <> old.currency or new.last_entry_no < old.last_entry_no
    or new.last_transfer_no < old.last_transfer_no or new.last_batch_no < old.last_batch_no or new.last_batch_no > old.last_batch_no + 1
    or new.last_case_no < old.last_case_no or new.last_case_no > old.last_case_no + 1000 or new.last_audit_no < old.last_audit_no
    or new.last_audit_no > old.last_audit_no + 1000)
  execute function refuse_wallet_change();

-- After the clock stepped back, times go on from what the merchant, another one or a roll-up has behind it.
create function refuse_time_to_come() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  latest timestamptz := greatest(new.recorded_at, new.updated_at);
begin
  if tg_op = 'UPDATE' and latest <= greatest(old.recorded_at, old.updated_at)
    or latest <= (select greatest(f.until, c.until, s.until, w.until) + interval '1 ms'
      from order_figures_progress f, order_facets_progress c, order_search_progress s, order_watch_progress w
      where f.name = 'orders' and c.name = 'facets' and s.name = 'orders' and w.name = 'orders')
    or exists (select from wallet w where w.merchant_id <> new.merchant_id and greatest(w.recorded_at, w.updated_at) >= latest)
  then
    return new;
  end if;
  raise exception 'wallet of %: % has not come yet', new.merchant_id, latest using errcode = 'check_violation';
end $$;
create trigger not_to_come before insert or update on wallet for each row
  when (greatest(new.recorded_at, new.updated_at) > clock_timestamp() + interval '5 s')
  execute function refuse_time_to_come();

create function refuse_other_withheld() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from wallet w where w.merchant_id = new.merchant_id and w.withheld <> (
    select coalesce(sum(m.amount - m.released), 0) from withheld_money m where m.merchant_id = w.merchant_id))
  then
    raise exception 'wallet of %: it withholds another amount than withheld_money', new.merchant_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger withholds_what_is_held after update on wallet deferrable initially deferred for each row
  when (new.withheld <> old.withheld)
  execute function refuse_other_withheld();
${neverDeleted('wallet')}

create table ledger_batch (
  merchant_id text,
  batch_no bigint,
  at timestamptz(3) not null,
  -- The rows that the hash covers, in its order: o: orders, s: transitions, p: payments, c: cases, e: entries, t: transfers, a: decisions.
  rows text[] not null,
  hash text not null,
  primary key (merchant_id, batch_no),
  -- Far more than one transaction writes.
  constraint ledger_batch_rows_check check (cardinality(rows) <= 20000 and pg_column_size(rows) <= 4000000
    and coalesce(array_ndims(rows), 1) = 1 and array_position(rows, null) is null)
);

${countedByWallet('batch', 'ledger_batch')}
${appendOnly('ledger_batch')}

create table wallet_entry (
  merchant_id text,
  entry_no bigint,
  type text not null,
  available_change numeric(18, 2) not null,
  frozen_change numeric(18, 2) not null,
  available_before numeric(18, 2) not null,
  available_after numeric(18, 2) not null check (available_after >= 0),
  frozen_before numeric(18, 2) not null,
  frozen_after numeric(18, 2) not null check (frozen_after >= 0),
  order_no text,
  merchant_order_no text,
  remark text,
  booking_no text,
  created_at timestamptz(3) not null,
  batch_no bigint not null,
  -- Null: an entry of an order.
  counter text,
  corrects text,
  primary key (merchant_id, entry_no),
  constraint wallet_entry_check check (available_after = available_before + available_change),
  constraint wallet_entry_check1 check (frozen_after = frozen_before + frozen_change),
  constraint wallet_entry_check2 check (case type
    when 'PAYIN' then available_change > 0 and frozen_change = 0 and order_no is not null
    when 'PAYOUT_FREEZE' then frozen_change > 0 and available_change = -frozen_change and order_no is not null
    when 'PAYOUT_RELEASE' then frozen_change < 0 and available_change = -frozen_change and order_no is not null
    when 'PAYOUT' then frozen_change < 0 and available_change = 0 and order_no is not null
    when 'PAYOUT_RETURN' then available_change > 0 and frozen_change = 0 and order_no is not null
    when 'TOP_UP' then available_change > 0 and frozen_change = 0 and booking_no is not null
    when 'SETTLEMENT' then available_change < 0 and frozen_change = 0 and booking_no is not null
    when 'ADJUSTMENT' then available_change <> 0 and frozen_change = 0 and booking_no is not null
    else false end)
);
-- A top-up, settlement or adjustment is booked once, however often its request comes.
create unique index wallet_entry_booking on wallet_entry (merchant_id, booking_no) where booking_no is not null;
create unique index wallet_entry_once_each on wallet_entry (merchant_id, order_no, (case type
  when 'PAYOUT_RELEASE' then 'PAYOUT'
  when 'PAYOUT_RETURN' then 'PAYOUT_RETURN ' || coalesce(booking_no, '')
  else type end)) where order_no is not null;

${ofNextBatch('entry', 'wallet_entry')}
${appendOnly('wallet_entry')}

-- Block n has the sums of the entries n * 1000 + 1 to (n + 1) * 1000 of a wallet, by type. A block is written once, when its last entry is there.
create table wallet_entry_sum (
  merchant_id text,
  block_no bigint,
  type text,
  entries bigint not null,
  available numeric(24, 2) not null,
  frozen numeric(24, 2) not null,
  primary key (merchant_id, block_no, type)
);

create table transfer (
  merchant_id text,
  transfer_no bigint,
  debit text not null,
  credit text not null,
  currency text not null,
  amount numeric(18, 2) not null check (amount > 0),
  cause text not null,
  order_no text,
  created_at timestamptz(3) not null,
  batch_no bigint not null,
  primary key (merchant_id, transfer_no),
  constraint transfer_cause_check check (case cause
    when 'payin' then debit ^@ 'channel:' and credit = 'available'
    when 'payin_fee' then (debit ^@ 'channel:' or debit = 'suspense') and credit = 'fee_revenue'
    when 'payin_part' then debit ^@ 'channel:' and credit = 'suspense'
    when 'payin_parts_credited' then debit = 'suspense' and credit = 'available'
    when 'suspense_in' then debit ^@ 'channel:' and credit = 'suspense'
    when 'suspense_out' then debit = 'suspense' and credit ^@ 'channel:'
    when 'suspense_credited' then debit = 'suspense' and credit = 'available'
    when 'payout_freeze' then debit = 'available' and credit = 'frozen'
    when 'payout_settle' then debit = 'frozen' and (credit ^@ 'channel:' or credit = 'suspense')
    when 'payout_fee' then debit = 'frozen' and credit = 'fee_revenue'
    when 'payout_release' then debit = 'frozen' and credit = 'available'
    when 'payout_return' then debit = 'suspense' and credit = 'available'
    when 'top_up' then (debit = 'external' or debit ^@ 'channel:') and credit = 'available'
    when 'settlement' then debit = 'available' and credit = 'external'
    when 'settlement_paid' then debit = 'external' and credit ^@ 'channel:'
    when 'settlement_returned' then debit ^@ 'channel:' and credit = 'external'
    when 'adjustment' then case 'available'
      when debit then credit in ('external', 'fee_revenue', 'dispute', 'suspense') or credit ^@ 'variance:' or credit ^@ 'channel:'
      when credit then debit in ('external', 'fee_revenue', 'dispute', 'suspense') or debit ^@ 'variance:'
      else false end
    when 'reconciliation' then case
      when debit ^@ 'channel:' then credit in ('external', 'variance:' || substr(debit, 9), 'written_off:' || substr(debit, 9), 'channel_fee:' || substr(debit, 9))
      when credit ^@ 'channel:' then debit in ('external', 'variance:' || substr(credit, 9), 'written_off:' || substr(credit, 9), 'channel_fee:' || substr(credit, 9))
      when debit = 'suspense' then credit ^@ 'written_off:'
      else debit ^@ 'written_off:' and credit = 'suspense' end
    else false end),
  constraint transfer_check check (debit <> credit)
);
create index transfer_of_order on transfer (merchant_id, order_no) where order_no is not null;
create index transfer_of_top_up on transfer (merchant_id, created_at) where cause = 'top_up';

${ofNextBatch('transfer', 'transfer')}
create trigger moves_suspense after insert on transfer for each row
  when (new.debit = 'suspense' or new.credit = 'suspense')
  execute function count_suspense('transfer');
${appendOnly('transfer')}

-- What was debited and credited to the platform's accounts in a merchant's books, up to the transfer of that number.
create table account_total (
  merchant_id text,
  account text,
  currency text not null,
  debited numeric(24, 2) not null,
  credited numeric(24, 2) not null,
  transfers bigint not null,
  primary key (merchant_id, account)
) with (fillfactor = 80);

create table account_total_progress (
  merchant_id text primary key,
  transfer_no bigint not null,
  moved_at timestamptz(3)
) with (fillfactor = 80);

create function refuse_counting_again() returns trigger language plpgsql as $$
begin
  raise exception 'account totals of %: transfers are counted once', new.merchant_id using errcode = 'restrict_violation';
end $$;
create trigger from_the_first before insert on account_total_progress for each row
  when (new.transfer_no < 0)
  execute function refuse_counting_again();
create trigger only_forward before update on account_total_progress for each row
  when (new.transfer_no < old.transfer_no or new.merchant_id <> old.merchant_id)
  execute function refuse_counting_again();

-- Adds the newest transfers of the merchants whose totals are the oldest. Whether there may be more. With the rights of the owner, and one at a time.
create function roll_up_accounts(most_merchants integer, most_transfers integer) returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  is_more boolean;
begin
  perform from exclusive_work where name = 'accounts' for update skip locked;
  if not found then
    return false;
  end if;
  with behind as (
    select w.merchant_id, coalesce(p.transfer_no, 0) as done, least(w.last_transfer_no, coalesce(p.transfer_no, 0) + most_transfers) as until,
      w.last_transfer_no
    from wallet w left join account_total_progress p using (merchant_id)
    where w.last_transfer_no > coalesce(p.transfer_no, 0) order by p.moved_at nulls first, merchant_id limit most_merchants),
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
  select coalesce(count(*) = most_merchants or bool_or(until < last_transfer_no), false) into is_more from behind;
  return is_more;
end $$;

-- The platform's own tenant: for audit records that concern no merchant. Its wallet stays empty; its country means nothing.
-- The other countries, and a tenant of each for money of no merchant, come from the code (synchronise-countries.ts).
insert into country (code, currency) values ('CN', 'CNY');
insert into merchant (merchant_id, name, country, currency, status, payin_enabled, payout_enabled, tag)
  values ('PLATFORM', 'Platform', 'CN', 'CNY', 'disabled', false, false, '----');
insert into wallet (merchant_id, currency) values ('PLATFORM', 'CNY');
`;
