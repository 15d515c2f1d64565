import { neverDeleted, notAhead, numbered } from './rules.ts';

/** What merchants take out of their wallets, and the files of payments for banks. */
export const settlement = `
create table settlement_account (
  merchant_id text references merchant,
  account_id text,
  sealed bytea not null,
  ending text not null check (length(ending) >= 1 and length(ending) <= 4),
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, account_id)
);
${neverDeleted('settlement_account')}

create table settlement_cycle (
  merchant_id text primary key references merchant,
  working_days integer not null check (working_days >= 1 and working_days <= 30),
  weekdays text[] not null check (weekdays <@ array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] and cardinality(weekdays) >= 1
    and cardinality(weekdays) <= 7),
  minimum numeric(14, 2) not null check (minimum >= 0),
  keep numeric(14, 2) not null check (keep >= 0),
  begins_on date not null,
  account_id text,
  foreign key (merchant_id, account_id) references settlement_account(merchant_id, account_id)
);

create table settlement (
  merchant_id text references merchant,
  seq bigint check (seq > 0),
  -- No booking by hand has such a number, so no row takes the booking of one for its own.
  settlement_no text not null check (settlement_no ~ '^ST[0-9A-Z]{4}[0-9]{6,29}$'),
  state text not null check (state in ('draft', 'approved', 'paid', 'confirmed', 'failed')),
  currency text not null,
  version integer not null,
  run_day date not null,
  cut_off date not null,
  opening numeric(18, 2) not null,
  sums jsonb not null,
  closing numeric(18, 2) not null,
  pending numeric(18, 2) not null check (pending >= 0),
  keep numeric(14, 2) not null,
  amount numeric(18, 2) not null,
  settled_before jsonb not null,
  settled_days jsonb not null,
  scan_after bigint not null,
  after_entry_no bigint not null,
  through_entry_no bigint not null,
  pending_after bigint not null,
  account_id text,
  reference text check (length(reference) >= 1 and length(reference) <= 128),
  case_no bigint,
  drafted_at timestamptz(3) not null,
  approved_at timestamptz(3),
  paid_at timestamptz(3),
  confirmed_at timestamptz(3),
  failed_at timestamptz(3),
  file_no text,
  debit_line text,
  return_line text,
  channel_id text,
  payment_no text,
  channel_bank_code text,
  channel_ref text,
  answer text,
  next_action text,
  next_action_at timestamptz(3),
  attempt integer not null default 0,
  command_id uuid,
  transfer_no bigint,
  return_transfer_no bigint,
  held numeric(18, 2) not null default 0,
  -- By channel, the last credit that is settled, and the day up to which it is: {"channel": {"day": "2026-11-19", "entryNo": 57}}.
  -- Null: drafted by a version that knows the days alone.
  settled_entries jsonb check (jsonb_typeof(settled_entries) = 'object'),
  primary key (merchant_id, seq),
  unique (merchant_id, settlement_no),
  constraint settlement_check check (cut_off < run_day),
  constraint settlement_check1 check (amount >= 0 and amount <= greatest(closing - keep, 0)),
  constraint settlement_check2 check ((state = 'draft') = (approved_at is null)),
  constraint settlement_check3 check (state = 'draft' or amount > 0 and account_id is not null),
  constraint settlement_check4 check ((state = 'failed') = ((failed_at is not null) and (case_no is not null))),
  constraint settlement_of_channel check ((channel_id is null) = (payment_no is null) and (payment_no is null or file_no is null
    and state in ('paid', 'confirmed', 'failed')) and (payment_no is not null or transfer_no is null and return_transfer_no is null
    and next_action is null) and (return_transfer_no is null or coalesce((transfer_no)::text, debit_line) is not null and state = 'failed')
    and (transfer_no is null or debit_line is null) and (next_action in ('send', 'query')) is not false
    and (next_action is null) = (next_action_at is null) and (next_action is distinct from 'send' or state = 'paid')),
  foreign key (merchant_id, account_id) references settlement_account(merchant_id, account_id)
);
create index settlement_at on settlement (drafted_at, merchant_id, seq);
create index settlement_open on settlement (state, drafted_at) where state in ('draft', 'approved', 'paid');
create index settlement_of_file on settlement (file_no, merchant_id, seq) where file_no is not null;
${numbered('settlement', ['merchant_id'], 'seq')}
create unique index settlement_debit_line on settlement (merchant_id, debit_line) where debit_line is not null;
create unique index settlement_return_line on settlement (merchant_id, return_line) where return_line is not null;
create index settlement_due_by_channel on settlement (channel_id, next_action_at) where next_action_at is not null;
create index settlement_payment_no on settlement (payment_no) where payment_no is not null;
create unique index settlement_payment_once on settlement (merchant_id, payment_no) where payment_no is not null;

create function refuse_settlement_sent_again() returns trigger language plpgsql as $$
begin
  raise exception 'settlement %: it is not sent as if its channel did not have it', old.settlement_no using errcode = 'restrict_violation';
end $$;
create trigger sent_once before update on settlement for each row
  when (new.attempt < old.attempt or old.channel_ref is not null and (new.channel_ref is distinct from old.channel_ref or new.next_action = 'send'))
  execute function refuse_settlement_sent_again();

create function refuse_settlement_change() returns trigger language plpgsql as $$
begin
  -- What two operators approved never changes, and a settlement never goes back.
  if old.state <> 'draft' and (to_jsonb(new) - array['state', 'reference', 'case_no', 'paid_at', 'confirmed_at', 'failed_at', 'file_no', 'channel_id', 'payment_no',
    'channel_bank_code', 'return_transfer_no', 'debit_line', 'return_line', 'channel_ref', 'answer', 'next_action', 'next_action_at', 'attempt', 'command_id', 'transfer_no']) is distinct from (to_jsonb(old) - array['state', 'reference', 'case_no', 'paid_at', 'confirmed_at', 'failed_at', 'file_no', 'channel_id', 'payment_no',
    'channel_bank_code', 'return_transfer_no', 'debit_line', 'return_line', 'channel_ref', 'answer', 'next_action', 'next_action_at', 'attempt', 'command_id', 'transfer_no'])
    or (old.state, new.state) not in (('draft', 'draft'), ('draft', 'approved'), ('approved', 'paid'), ('approved', 'confirmed'), ('paid', 'paid'),
      ('paid', 'confirmed'), ('approved', 'failed'), ('paid', 'failed'), ('confirmed', 'failed'), ('confirmed', 'confirmed'), ('failed', 'failed')) then
    raise exception 'settlement % cannot become %', old.settlement_no, new.state using errcode = 'restrict_violation';
  end if;
  -- In one state it only gets what its channel says, and after its end the lines that prove it.
  if old.state = new.state and old.state <> 'draft' and (to_jsonb(new) - array['debit_line', 'return_line', 'channel_ref', 'answer', 'next_action', 'next_action_at', 'attempt', 'command_id', 'transfer_no'])
      is distinct from (to_jsonb(old) - array['debit_line', 'return_line', 'channel_ref', 'answer', 'next_action', 'next_action_at', 'attempt', 'command_id', 'transfer_no']) then
    raise exception 'settlement % cannot become %', old.settlement_no, new.state using errcode = 'restrict_violation';
  end if;
  -- A line that proves it stays, and so does what its channel moved.
  if new.debit_line is distinct from old.debit_line and (old.debit_line is not null or new.state not in ('confirmed', 'failed'))
    or new.return_line is distinct from old.return_line and (old.return_line is not null or new.state <> 'failed')
    or new.transfer_no is distinct from old.transfer_no and (old.transfer_no is not null or new.state not in ('confirmed', 'failed')) then
    raise exception 'settlement % has another line', old.settlement_no using errcode = 'restrict_violation';
  end if;
  -- One claim says who pays it.
  if (new.channel_id, new.payment_no) is distinct from (old.channel_id, old.payment_no)
      and (old.payment_no is not null or (old.state, new.state) <> ('approved', 'paid')) then
    raise exception 'settlement % cannot be paid by %', old.settlement_no, new.channel_id using errcode = 'restrict_violation';
  end if;
  -- A claim puts it into one file, as long as that is not ready. The lock keeps the file open until the claim is written.
  if new.file_no is distinct from old.file_no then
    perform from public.settlement_file f where f.file_no = new.file_no and f.state = 'open' for share;
    if not found or old.file_no is not null or (old.state, new.state) <> ('approved', 'paid') then
      raise exception 'settlement % cannot enter the file %', old.settlement_no, new.file_no using errcode = 'restrict_violation';
    end if;
  end if;
  return new;
end $$;
create trigger settlement_goes_on before update on settlement for each row execute function refuse_settlement_change();

-- A settlement beyond its draft has taken its amount out of the wallet.
create function refuse_untaken_settlement() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from wallet_entry e where e.merchant_id = new.merchant_id and e.booking_no = new.settlement_no
      and e.type = 'SETTLEMENT' and e.available_change = -new.amount) and not owns(tg_relid) then
    raise exception 'settlement %: its wallet has not paid it', new.settlement_no using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger taken_from_wallet after insert or update on settlement deferrable initially deferred for each row
  when (new.state <> 'draft')
  execute function refuse_untaken_settlement();

-- People decide each step, except for what a channel answers about a payment that was sent by it, and what a statement proves.
create function refuse_undecided_settlement() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if owns(tg_relid) then
    return null;
  end if;
  if new.state = 'failed' and not exists (select from money_case c where c.merchant_id = new.merchant_id and c.case_no = new.case_no) then
    raise exception 'settlement %: there is no case %', new.settlement_no, new.case_no using errcode = 'check_violation';
  end if;
  if new.payment_no is not null and old.payment_no is not null and new.state in ('confirmed', 'failed')
    and current_user in ('tidegate_worker', 'tidegate_worker_ledger') then
    return null;
  end if;
  if not exists (select from (
      select a.xmin as written_by, a.action from audit_record a where a.merchant_id = new.merchant_id and a.subject = new.settlement_no) a
    where a.written_by = pg_current_xact_id()::xid and a.action = any (case new.state
      when 'approved' then array['approveSettlement'] when 'paid' then array['paySettlement', 'sendSettlement']
      when 'confirmed' then array['confirmSettlement'] else array['failSettlement'] end))
  then
    raise exception 'settlement %: nobody decided that it is %', new.settlement_no, new.state using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger step_is_decided after update on settlement deferrable initially deferred for each row
  when (new.state <> old.state)
  execute function refuse_undecided_settlement();
${neverDeleted('settlement')}

create table settlement_run (
  merchant_id text primary key references merchant,
  -- The newest day of its cycle that was drafted or begun. Of a new cycle: the day on which the schedule first saw it.
  day date not null,
  -- failed: it is tried again. running: its process may have died.
  state text not null check (state in ('running', 'done', 'failed')),
  attempts integer not null default 0,
  -- When another process may try it, if it is not done.
  next_at timestamptz(3) not null default clock_timestamp()
) with (fillfactor = 70);
${notAhead('settlement_run', 'day')}
${notAhead('settlement_run', 'next_at')}

create table settlement_file (
  merchant_id text references merchant,
  file_no text check (file_no ~ '^SF[A-Z]{2}[0-9]{6,}$'),
  state text not null check (state in ('open', 'ready')),
  currency text not null,
  account_id text not null,
  execution_day date not null,
  settlements integer not null default 0,
  total numeric(24, 2) not null default 0,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  created_by text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  debit_line text,
  downloaded_at timestamptz(3),
  primary key (merchant_id, file_no),
  constraint settlement_file_check check ((state = 'ready') = (sha256 is not null)),
  constraint settlement_file_check1 check (state = 'open' or settlements > 0),
  foreign key (merchant_id, account_id) references settlement_account(merchant_id, account_id)
);
create unique index settlement_file_open on settlement_file (merchant_id) where state = 'open';
create index settlement_file_at on settlement_file (created_at, merchant_id, file_no);
${neverDeleted('settlement_file')}
`;
