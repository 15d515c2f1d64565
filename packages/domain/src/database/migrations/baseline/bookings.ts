/**
 * Wallets whose money or numbers moved, except those with one new payout and nothing else: the most frequent case, which
 * needs no sums.
 */
const ofMovedWallets = `where (n.last_entry_no <> o.last_entry_no or n.last_transfer_no <> o.last_transfer_no or n.available <> o.available or n.frozen <> o.frozen)
      and not (n.last_entry_no = o.last_entry_no + 1 and n.last_transfer_no = o.last_transfer_no + 1 and may_book(current_user, 'PAYOUT_FREEZE', 'payout_freeze')
        and exists (
          select from wallet_entry e
          cross join lateral (select * from transfer t where t.merchant_id = e.merchant_id and t.transfer_no = n.last_transfer_no offset 0) t
          cross join lateral (select kind, net_amount from orders r where r.merchant_id = e.merchant_id and r.order_no = e.order_no offset 0) r
          where e.merchant_id = n.merchant_id and e.entry_no = n.last_entry_no and e.type = 'PAYOUT_FREEZE' and e.batch_no = n.last_batch_no
            and e.available_before = o.available and e.frozen_before = o.frozen and e.available_after = n.available and e.frozen_after = n.frozen
            and t.cause = 'payout_freeze' and t.amount = e.frozen_change and t.order_no = e.order_no and t.batch_no = n.last_batch_no
            and n.last_batch_no > o.last_batch_no and r.kind = 'payout' and r.net_amount = e.frozen_change))`;

/**
 * Entries without an order, and returns of payouts, have exactly what caused them: the decision about this booking with
 * this amount, the cases that this transaction decided, or the settlement that failed. Only the API decides, so the
 * worker only brings back what its settlement took. One check reads all wallets that a statement updates: the ledger
 * writer updates wallets last, once in a batch.
 */
export const bookings = `
create function may_book(role name, entry_type text, cause text) returns boolean language sql immutable as $$
  select case
    when role in ('tidegate_rest', 'tidegate_rest_ledger') then
      (entry_type is null or entry_type in ('PAYIN', 'PAYOUT_FREEZE', 'PAYOUT_RELEASE', 'PAYOUT'))
      and (cause is null or cause in ('payin', 'payin_fee', 'payin_part', 'payin_parts_credited', 'suspense_in', 'suspense_out',
        'payout_freeze', 'payout_settle', 'payout_fee', 'payout_release'))
    when role in ('tidegate_worker', 'tidegate_worker_ledger') then
      (entry_type is null or entry_type in ('PAYIN', 'PAYOUT_RELEASE', 'PAYOUT', 'ADJUSTMENT'))
      and (cause is null or cause not in ('payout_freeze', 'payout_return', 'suspense_credited', 'top_up', 'settlement'))
    else true end
$$;

create function cases_of(d jsonb) returns bigint[] language sql immutable as $$
  select array(select n::bigint from jsonb_array_elements_text(coalesce(d->'alsoCaseNos', '[]') || (d->'caseNo')) n)
$$;

-- Whether the decision about cases (its detail) comes to the entry. Only cases that this transaction ends count.
create function is_of_cases(of_merchant text, entry_type text, its_no text, its_order text, change numeric, action text, d jsonb) returns boolean language plpgsql stable as $$
declare
  of_tenant pg_catalog.text := d->>'merchantId';
  moved numeric := (select sum(c.amount - c.came_back) from public.money_case c where c.merchant_id = of_tenant and c.xmin = pg_current_xact_id()::pg_catalog.xid
    and c.state = case action when 'creditCase' then 'credited' else 'charged' end
    and (c.case_no = (d->>'caseNo')::bigint or coalesce(d->'alsoCaseNos', '[]') @> to_jsonb(c.case_no)));
begin
  -- Only money without an owner goes to a merchant, and to one: the record of its tenant says to which.
  if of_tenant <> of_merchant and (not of_tenant ^@ 'PLATFORM-' or (
    select array_agg(r.detail->>'toMerchantId') from (
      select t.detail::pg_catalog.jsonb as detail, t.action, t.xmin as written_by from public.audit_record t where t.merchant_id = of_tenant order by t.audit_no desc limit 1000) r
    where r.written_by = pg_current_xact_id()::pg_catalog.xid and r.action = 'creditCase' and r.detail->>'merchantId' = of_tenant
      and cases_of(r.detail) && cases_of(d)) is distinct from array[of_merchant]) then
    return false;
  end if;
  -- Money that comes back after it was charged: its booking names the charged case and the case that held it.
  if entry_type = 'ADJUSTMENT' and action = 'creditCase' and its_no ^@ format('CASE/%s/', of_tenant) and split_part(its_no, '/', 4) = d->>'caseNo' then
    return change > 0 and change <= moved and exists (select from public.money_case c where c.merchant_id = of_merchant and c.xmin = pg_current_xact_id()::pg_catalog.xid
      and c.state = 'charged' and c.case_no::pg_catalog.text = split_part(its_no, '/', 3) and change <= c.came_back);
  end if;
  if its_no is distinct from format('CASE/%s/%s', of_tenant, d->>'caseNo') then
    return false;
  end if;
  return case
    when entry_type = 'ADJUSTMENT' then change = case action when 'creditCase' then moved else -moved end
    when entry_type = 'PAYOUT_RETURN' then action = 'creditCase' and change <= moved and its_order = d->>'orderNo' and (
      select sum(t.available_change) from public.wallet_entry t where t.merchant_id = of_merchant and t.order_no = its_order and t.type = 'PAYOUT_RETURN')
      <= (select r.amount from public.orders r where r.merchant_id = of_merchant and r.order_no = its_order)
    else false end;
end $$;

-- Not of the row's type: a table that is being partitioned is replaced.
create function has_cause_of_booking(of_merchant text, entry_type text, its_no text, its_order text, its_counter text, change numeric, after_audit bigint, until_audit bigint) returns boolean language plpgsql stable as $$
declare
  a pg_catalog.record;
  d pg_catalog.jsonb;
begin
  if entry_type = 'ADJUSTMENT' and right(its_no, 9) = '-returned' then
    return exists (
      select from public.settlement s join public.wallet_entry t on t.merchant_id = s.merchant_id and t.booking_no = s.settlement_no
      where s.merchant_id = of_merchant and s.settlement_no = left(its_no, -9) and s.state = 'failed' and s.amount = change
        and t.type = 'SETTLEMENT' and t.available_change = -change and t.counter is not distinct from its_counter);
  end if;
  if current_user in ('tidegate_rest', 'tidegate_rest_ledger', 'tidegate_worker', 'tidegate_worker_ledger') then
    return false;
  end if;
  -- The fee of a payout that came back entirely.
  if entry_type = 'ADJUSTMENT' and its_no ^@ 'FEE/' then
    return exists (
      select from public.orders r where r.merchant_id = of_merchant and r.order_no = substr(its_no, 5) and r.kind = 'payout' and r.status = 'completed'
        and its_counter = 'fee_revenue' and r.fee_terms->>'isRefundable' = 'true' and r.fee_amount = change and r.amount = (select sum(t.available_change) from public.wallet_entry t
          where t.merchant_id = r.merchant_id and t.order_no = r.order_no and t.type = 'PAYOUT_RETURN'));
  end if;
  for a in select action, subject, detail from public.audit_record t where t.merchant_id = of_merchant and t.audit_no > after_audit and t.audit_no <= until_audit
      and t.action in ('bookWallet', 'reverseBooking', 'approveSettlement', 'creditCase', 'chargeCase') loop
    d := a.detail::pg_catalog.jsonb;
    if (case a.action
      when 'bookWallet' then its_no = a.subject and entry_type = d->>'entry' and change = (d->>'amount')::numeric
      -- Its number says what it takes back, so that is taken back once.
      when 'reverseBooking' then its_no = a.subject and its_no = 'REVERSAL/' || (d->>'reverses') and entry_type = 'ADJUSTMENT' and exists (
        select from public.wallet_entry t where t.merchant_id = of_merchant and t.booking_no = d->>'reverses' and t.available_change = -change
          and t.counter = its_counter and t.booking_no !~* '^(BREAK/|REVERSAL/|FEE/|CASE/|ST[0-9A-Z]{4}[0-9]{6,}(-returned)?$)')
      when 'approveSettlement' then its_no = a.subject and entry_type = 'SETTLEMENT' and -change = (
        select s.amount from public.settlement s where s.merchant_id = of_merchant and s.settlement_no = a.subject and s.state <> 'draft')
      -- A return of a payout names no account: it comes out of suspense.
      else coalesce(its_counter, 'suspense') = 'suspense' and is_of_cases(of_merchant, entry_type, its_no, its_order, change, a.action, d) end)
    then
      return true;
    end if;
  end loop;
  return false;
end $$;

-- Whether each such entry has its transfer, from or to the account that it names, and each of these transfers its entry.
create function are_bookings_moved(of_merchant text, after_entry bigint, until_entry bigint, after_transfer bigint, until_transfer bigint) returns boolean language plpgsql stable as $$
begin
  return not exists (
    select from (
      select order_no, case type when 'PAYOUT_RETURN' then 'suspense' else counter end as account, available_change as amount, 1 as sign
      from public.wallet_entry where merchant_id = of_merchant and entry_no > after_entry and entry_no <= until_entry
        and type in ('TOP_UP', 'SETTLEMENT', 'ADJUSTMENT', 'PAYOUT_RETURN')
      union all
      select order_no, case 'available' when credit then debit else credit end, case 'available' when credit then amount else -amount end, -1
      from public.transfer where merchant_id = of_merchant and transfer_no > after_transfer and transfer_no <= until_transfer
        and (cause in ('top_up', 'settlement', 'adjustment', 'payout_return') or cause = 'suspense_credited' and order_no is null)) m
    group by order_no, account, amount having sum(sign) <> 0);
end $$;

-- Whether a transfer moves the money of this channel that its transaction is about: of a new case of no order, of a refund, or of a case that
-- operators decide on. Money of an order's own channel is not asked about here.
create function is_of_channel(of_merchant text, its_no bigint, its_account text, its_order text, its_amount numeric, after_case bigint, until_case bigint,
  after_audit bigint, until_audit bigint) returns boolean language plpgsql stable as $$
declare
  of_channel pg_catalog.text := substr(its_account, strpos(its_account, ':') + 1);
begin
  if its_account ^@ 'channel:' and (
    its_order is null and exists (select from public.money_case c where c.merchant_id = of_merchant and c.case_no > after_case and c.case_no <= until_case
      and c.order_no is null and c.channel_id = of_channel and c.amount = its_amount and exists (select from public.channel k where k.channel_id = of_channel))
    or exists (select from public.refund r where r.merchant_id = of_merchant and r.transfer_no = its_no and r.channel_id = of_channel))
  then
    return true;
  end if;
  if current_user in ('tidegate_rest', 'tidegate_rest_ledger', 'tidegate_worker', 'tidegate_worker_ledger') then
    return false;
  end if;
  return exists (
    select from (select t.detail::pg_catalog.jsonb as d from public.audit_record t where t.merchant_id = of_merchant and t.audit_no > after_audit
      and t.audit_no <= until_audit and t.action in ('creditCase', 'returnCase', 'writeOffCase') offset 0) a
    cross join lateral unnest(cases_of(a.d)) as n(case_no)
    cross join lateral (select c.channel_id, c.xmin as written_by from public.money_case c where c.merchant_id = a.d->>'merchantId' and c.case_no = n.case_no offset 0) c
    where c.channel_id = of_channel and c.written_by = pg_current_xact_id()::pg_catalog.xid)
    -- What was written off comes back with another case.
    or its_account ^@ 'written_off:' and exists (select from public.money_case c where c.merchant_id = of_merchant and c.channel_id = of_channel
      and (c.order_no = its_order or its_order is null and c.order_no is null) and c.state = 'written_off' and c.xmin = pg_current_xact_id()::pg_catalog.xid);
end $$;

-- Whether the records say what is posted to the accounts of channels: the breaks that this transaction ends, and what a day that it closes tolerates.
-- What a statement proves without people has its line, and moved between the channel and the bank, the way that the line says.
create function are_postings_decided(of_merchant text, after_transfer bigint, until_transfer bigint, after_audit bigint, until_audit bigint) returns boolean language plpgsql stable as $$
begin
  return not exists (
    with decision as (
      select a.action, a.subject, a.detail::pg_catalog.jsonb as detail from public.audit_record a
      where a.merchant_id = of_merchant and a.audit_no > after_audit and a.audit_no <= until_audit and a.action in ('resolveBreak', 'proveSettlement', 'closeDay')),
    ended as (
      select b.break_no, b.channel_id, b.amount, b.state, b.account, d.action, l.direction
      from decision d join public.reconciliation_break b
        on b.merchant_id = of_merchant and b.break_no = substring(d.subject from '^break ([0-9]{1,18})$')::bigint
      left join lateral (select l.gross, l.direction from public.statement_line l where l.merchant_id = b.merchant_id and l.file_no = b.file_no
        and l.line_no = b.line_no and l.part = b.part offset 0) l on true
      where b.xmin = pg_current_xact_id()::pg_catalog.xid and b.decided_at >= now() - interval '1 ms' and b.state not in ('open', 'matched', 'posting')
        and (d.action = 'resolveBreak' or d.action = 'proveSettlement' and abs(b.amount) <= l.gross)
      union
      select b.break_no, b.channel_id, b.amount, b.state, b.account, d.action, l.direction
      from decision d cross join lateral string_to_table(d.detail->'after'->>'lines', ', ') place
      join public.reconciliation_break b on b.merchant_id = of_merchant and b.subject = 'line ' || place
      left join lateral (select l.gross, l.direction from public.statement_line l where l.merchant_id = b.merchant_id and l.file_no = b.file_no
        and l.line_no = b.line_no and l.part = b.part offset 0) l on true
      where d.action = 'proveSettlement' and b.xmin = pg_current_xact_id()::pg_catalog.xid and b.decided_at >= now() - interval '1 ms' and b.state = 'posted' and abs(b.amount) <= l.gross),
    decided as (
      -- Money that was posted as missing is borne by another account: one transfer back, and one to it.
      select channel_id, abs(amount) * case state when 'posted' then 1 else 2 end as amount, case action
          when 'proveSettlement' then array[direction || ' external']
          else array(select way || other from unnest(array['in ', 'out ']) way, unnest(array[account, 'written_off:' || channel_id, 'external']) other) end as ways
      from ended
      union all
      -- A closing posts what it records. All records of the day come to what was posted of it.
      select c.channel_id, abs((d.detail->'after'->>'tolerated')::numeric), array['in variance:' || c.channel_id, 'out variance:' || c.channel_id] from decision d join public.reconciliation_day c on c.merchant_id = of_merchant
        and c.tolerated = (select sum((r.detail::pg_catalog.jsonb->'after'->>'tolerated')::numeric) from public.audit_record r
          where r.merchant_id = of_merchant and r.subject = d.subject and r.action = 'closeDay' and r.audit_no <= until_audit)
        and d.subject = format('day %s %s', c.channel_id, c.day) and c.channel_id = split_part(d.subject, ' ', 2)
      where d.action = 'closeDay' and c.state = 'closed' and c.closed_at >= now() - interval '1 ms' and c.xmin = pg_current_xact_id()::pg_catalog.xid)
    select from (
      select p.account, p.way, sum(p.amount) as amount from (
        select case when debit ^@ 'channel:' then debit else credit end as account, case when debit ^@ 'channel:' then 'in ' || credit else 'out ' || debit end as way, amount
        from public.transfer where merchant_id = of_merchant and transfer_no > after_transfer and transfer_no <= until_transfer and cause = 'reconciliation'
          and 'suspense' not in (debit, credit)) p
      -- All of a channel, and what goes each way.
      group by grouping sets ((p.account), (p.account, p.way))) m
    where m.amount > coalesce((select sum(d.amount) from decided d where 'channel:' || d.channel_id = m.account and (m.way is null or m.way = any(d.ways))), 0));
end $$;

create function refuse_forged_wallets() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp set enable_hashjoin = on as $$
declare
  broken record;
begin
  select n.merchant_id into broken from new_wallets n where (
      select true from wallet_entry e where e.merchant_id = n.merchant_id and e.entry_no = n.last_entry_no + 1)
    or (select true from transfer t where t.merchant_id = n.merchant_id and t.transfer_no = n.last_transfer_no + 1) limit 1;
  if found then
    raise exception 'wallet of %: it does not count its last entry or transfer', broken.merchant_id using errcode = 'check_violation';
  end if;
  -- Asked first alone, because the query below is long: starting it takes longer than this answer.
  if not exists (
    select from new_wallets n join old_wallets o on o.merchant_id = n.merchant_id
    ${ofMovedWallets}
  ) then
    return null;
  end if;
  select n.merchant_id, to_jsonb(e) as entries, to_jsonb(t) as transfers into broken
  from (
    select n.merchant_id, n.available, n.frozen, n.last_entry_no, n.last_transfer_no, n.last_batch_no, n.last_audit_no, n.last_case_no,
      o.available as was_available, o.frozen as was_frozen, o.last_entry_no as was_last_entry_no,
      o.last_transfer_no as was_last_transfer_no, o.last_batch_no as was_last_batch_no, o.last_audit_no as was_last_audit_no, o.last_case_no as was_last_case_no
    from new_wallets n join old_wallets o on o.merchant_id = n.merchant_id
    ${ofMovedWallets}
    offset 0) n
  cross join lateral (
    select count(*) as number, coalesce(sum(available_change), 0) as available, coalesce(sum(frozen_change), 0) as frozen,
      -- Each begins where the one before ended, and all are of the batch that the wallet counts with them.
      coalesce(bool_and(is_next and batch_no = n.last_batch_no and n.last_batch_no > n.was_last_batch_no), true) as are_next,
      coalesce(bool_and(is_due), true) as are_due, coalesce(bool_and(may_book(current_user, type, null)), true) as are_allowed
    from (
      select e.*, available_before = lag(available_after, 1, n.was_available) over w and frozen_before = lag(frozen_after, 1, n.was_frozen) over w as is_next,
        -- An entry of an order is what the order came to. Any other one is recorded, as a decision or as a case.
        case type
          when 'PAYIN' then r.kind = 'payin' and r.status = 'completed' and available_change = r.net_amount
          when 'PAYOUT_FREEZE' then r.kind = 'payout' and frozen_change = r.net_amount
          when 'PAYOUT_RELEASE' then r.kind = 'payout' and r.status in ('failed', 'cancelled', 'timeout') and frozen_change = -r.net_amount
          when 'PAYOUT' then r.kind = 'payout' and r.status = 'completed' and frozen_change = -r.net_amount
          when 'PAYOUT_RETURN' then r.kind = 'payout' and r.status = 'completed' and available_change <= r.amount
            and has_cause_of_booking(e.merchant_id, e.type, e.booking_no, e.order_no, e.counter, e.available_change, n.was_last_audit_no, n.last_audit_no)
            and are_bookings_moved(n.merchant_id, n.was_last_entry_no, n.last_entry_no, n.was_last_transfer_no, n.last_transfer_no)
          else e.order_no is null
            and has_cause_of_booking(e.merchant_id, e.type, e.booking_no, e.order_no, e.counter, e.available_change, n.was_last_audit_no, n.last_audit_no)
            and are_bookings_moved(n.merchant_id, n.was_last_entry_no, n.last_entry_no, n.was_last_transfer_no, n.last_transfer_no) end is true as is_due
      from wallet_entry e left join lateral (
        select kind, status, amount, net_amount from orders r where r.merchant_id = e.merchant_id and r.order_no = e.order_no offset 0) r on true
      where e.merchant_id = n.merchant_id and e.entry_no > n.was_last_entry_no and e.entry_no <= n.last_entry_no
      window w as (order by e.entry_no) offset 0) e) e
  cross join lateral (
    select count(*) as number, coalesce(sum(case 'available' when credit then amount when debit then -amount else 0 end), 0) as available,
      coalesce(sum(case 'frozen' when credit then amount when debit then -amount else 0 end), 0) as frozen,
      coalesce(bool_and(batch_no = n.last_batch_no and n.last_batch_no > n.was_last_batch_no and (of_channel is null
          or 'channel:' || (select r.channel_id from orders r where r.merchant_id = t.merchant_id and r.order_no = t.order_no) = of_channel
          or is_of_channel(t.merchant_id, t.transfer_no, of_channel, t.order_no, t.amount, n.was_last_case_no, n.last_case_no, n.was_last_audit_no, n.last_audit_no)) is true and case
        -- What moves suspense is explained by cases and payments when the transaction ends.
        when cause in ('payin_part', 'suspense_in', 'suspense_out') then true
        when cause = 'reconciliation' and debit = 'suspense' then credit ^@ 'written_off:'
        when cause = 'reconciliation' and credit = 'suspense' then debit ^@ 'written_off:'
        when cause = 'reconciliation' then
          are_postings_decided(n.merchant_id, n.was_last_transfer_no, n.last_transfer_no, n.was_last_audit_no, n.last_audit_no)
        when cause = 'settlement_paid' then exists (
          select from settlement s where s.merchant_id = t.merchant_id and s.transfer_no = t.transfer_no and s.amount = t.amount and 'channel:' || s.channel_id = t.credit)
        when cause = 'settlement_returned' then exists (
          select from settlement s where s.merchant_id = t.merchant_id and s.return_transfer_no = t.transfer_no and s.amount = t.amount and 'channel:' || s.channel_id = t.debit)
        when cause in ('top_up', 'settlement', 'adjustment', 'payout_return') or cause = 'suspense_credited' and order_no is null then
          are_bookings_moved(n.merchant_id, n.was_last_entry_no, n.last_entry_no, n.was_last_transfer_no, n.last_transfer_no)
        else e.number > 0 end), true) as are_due,
      coalesce(bool_and(may_book(current_user, null, cause)), true) as are_allowed
    from transfer t
    -- The account of a channel whose money it is. Bookings, settlements and postings name theirs.
    cross join lateral (select case
      when cause in ('payin', 'payin_fee', 'payin_part', 'suspense_in', 'suspense_out', 'payout_settle') or cause = 'reconciliation' and 'suspense' in (debit, credit) then
        case when strpos(debit, ':') > 0 then debit when strpos(credit, ':') > 0 then credit end end as of_channel) a
    where t.merchant_id = n.merchant_id and t.transfer_no > n.was_last_transfer_no and t.transfer_no <= n.last_transfer_no) t
  where (e.number, e.available, e.frozen, e.are_next, e.are_due, e.are_allowed, t.number, t.available, t.frozen, t.are_due, t.are_allowed)
      is distinct from (n.last_entry_no - n.was_last_entry_no, n.available - n.was_available, n.frozen - n.was_frozen, true, true, true,
        n.last_transfer_no - n.was_last_transfer_no, e.available, e.frozen, true, true)
  limit 1;
  -- An owner may repair a wallet: it becomes what its last entry left.
  if found and exists (
    select from new_wallets n join old_wallets o using (merchant_id)
    left join wallet_entry e on e.merchant_id = n.merchant_id and e.entry_no = n.last_entry_no
    where (n.last_entry_no, n.last_transfer_no) is distinct from (o.last_entry_no, o.last_transfer_no)
      or (n.available, n.frozen) is distinct from (o.available, o.frozen)
        and (n.available, n.frozen) is distinct from (e.available_after, e.frozen_after))
  then
    raise exception 'wallet of %: it is not its last entry, or its entries and transfers do not belong together or have no cause: %, %',
      broken.merchant_id, broken.entries, broken.transfers using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger matches_its_entries after update on wallet referencing old table as old_wallets new table as new_wallets for each statement execute function refuse_forged_wallets();
`;
