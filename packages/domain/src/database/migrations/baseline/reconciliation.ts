import { appendOnly, numbered } from './rules.ts';

/** Matches are numbered over lines and expectations, so those of one table leave gaps. */
const farthestMatch = 1_000_000_000;

/** What statements are compared with, and what differs. */
export const reconciliation = `
-- One movement at a channel that the ledger knows of: consecutive transfers of one payment, by the number of the first.
create table statement_expectation (
  merchant_id text,
  transfer_no bigint,
  tenant text not null,
  channel_id text not null,
  day date not null,
  cause text not null,
  direction text not null check (direction in ('in', 'out')),
  amount numeric(18, 2) not null check (amount > 0),
  order_no text,
  -- The channel's reference of the payment, and that of its order.
  channel_ref text,
  order_ref text,
  bank_ref text,
  posted_at timestamptz(3) not null,
  primary key (merchant_id, transfer_no)
);
create index statement_expectation_day on statement_expectation (tenant, channel_id, day);
${appendOnly('statement_expectation')}

create table expectation_progress (
  merchant_id text primary key,
  transfer_no bigint not null,
  moved_at timestamptz(3) not null
) with (fillfactor = 50);

-- Transfers count as known once each that touches a reconciled channel is in an expectation: a settlement pays what is
-- known, on days that are closed. The zone of the country is not known here, so the first days are not compared.
create function refuse_skipped_transfers() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  known bigint := case tg_op when 'UPDATE' then old.transfer_no else 0 end;
  next bigint := new.transfer_no + 1;
  middle bigint;
  begins timestamptz;
  skipped text;
begin
  if owns(tg_relid) then
    return null;
  end if;
  if new.transfer_no > (select w.last_transfer_no from wallet w where w.merchant_id = new.merchant_id) is not false then
    raise exception 'expectations of %: there is no transfer %', new.merchant_id, new.transfer_no using errcode = 'check_violation';
  end if;
  -- At first all before the reconciliation began are left out. Numbers grow with time, so few rows are looked at.
  if tg_op = 'INSERT' then
    select min(c.begins_on)::timestamptz - interval '1 day' into begins from merchant m join merchant own on own.country = m.country
      join reconciled_channel c on c.merchant_id = own.merchant_id where m.merchant_id = new.merchant_id;
    while next - known > 1 loop
      middle := known + (next - known) / 2;
      if exists (select from transfer t where t.merchant_id = new.merchant_id and t.transfer_no = middle and t.created_at < begins) then
        known := middle;
      else
        next := middle;
      end if;
    end loop;
  end if;
  select c.channel_id into skipped from merchant m join merchant own on own.country = m.country join reconciled_channel c on c.merchant_id = own.merchant_id
  cross join lateral (
    select coalesce(sum(t.amount) filter (where t.debit ^@ 'channel:'), 0) as came, coalesce(sum(t.amount) filter (where not t.debit ^@ 'channel:'), 0) as went
    from transfer t where t.merchant_id = new.merchant_id and t.transfer_no > known and t.transfer_no <= new.transfer_no and t.cause <> 'reconciliation'
      and 'channel:' || c.channel_id = case when t.debit ^@ 'channel:' then t.debit else t.credit end and t.created_at >= c.begins_on + 2) moved
  cross join lateral (
    select coalesce(sum(e.amount) filter (where e.direction = 'in'), 0) as came, coalesce(sum(e.amount) filter (where e.direction = 'out'), 0) as went
    from statement_expectation e where e.merchant_id = new.merchant_id and e.transfer_no > known and e.transfer_no <= new.transfer_no
      and e.channel_id = c.channel_id and e.posted_at >= c.begins_on + 2) expected
  where m.merchant_id = new.merchant_id and (moved.came, moved.went) <> (expected.came, expected.went) limit 1;
  if skipped is not null then
    raise exception 'expectations of %: not all transfers of % up to % are expected', new.merchant_id, skipped, new.transfer_no using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger skips_nothing after insert or update on expectation_progress for each row execute function refuse_skipped_transfers();

create table matched_line (
  merchant_id text,
  file_no bigint,
  line_no integer,
  part integer,
  match_no bigint not null,
  rule text not null,
  -- What the statement shows beyond the ledger, within the tolerance.
  difference numeric(18, 2) not null default 0,
  matched_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, file_no, line_no, part)
);
create index matched_line_match on matched_line (merchant_id, match_no);
${appendOnly('matched_line')}
${numbered('matched_line', ['merchant_id'], 'match_no', farthestMatch)}

create table matched_expectation (
  merchant_id text,
  transfer_no bigint,
  tenant text not null,
  match_no bigint not null,
  matched_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, transfer_no)
);
create index matched_expectation_match on matched_expectation (tenant, match_no);
${appendOnly('matched_expectation')}
${numbered('matched_expectation', ['tenant'], 'match_no', farthestMatch)}

-- Lines that a later version of their statement shows otherwise, or not at all.
create table superseded_line (
  merchant_id text,
  file_no bigint,
  line_no integer,
  part integer,
  by_file_no bigint not null,
  superseded_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, file_no, line_no, part)
);
create index superseded_line_by on superseded_line (merchant_id, by_file_no);
${appendOnly('superseded_line')}

create table reconciliation_day (
  merchant_id text references merchant,
  channel_id text references channel,
  day date,
  state text not null default 'open' check (state in ('open', 'closed')),
  -- Whether a statement covers the day, and whether it has to be matched again.
  is_covered boolean not null default false,
  is_due boolean not null default false,
  lines integer not null default 0,
  statement_net numeric(24, 2) not null default 0,
  expectations integer not null default 0,
  ledger_net numeric(24, 2) not null default 0,
  ledger_gross numeric(24, 2) not null default 0,
  -- Differences within the tolerance that were posted when the day was closed.
  tolerated numeric(18, 2) not null default 0,
  closed_by text,
  approver text,
  closed_at timestamptz(3),
  reopened_by text,
  reopened_at timestamptz(3),
  -- Whether statements show only the beginning of the day.
  is_part boolean not null default false,
  primary key (merchant_id, channel_id, day),
  constraint reconciliation_day_check check (approver <> closed_by),
  constraint reconciliation_day_check1 check ((state = 'closed') = (closed_at is not null))
) with (fillfactor = 70);
create index reconciliation_day_due on reconciliation_day (merchant_id, channel_id) where is_due;
create index reconciliation_day_uncovered on reconciliation_day (merchant_id, channel_id, day) where not is_covered;
create index reconciliation_day_open on reconciliation_day (day, merchant_id, channel_id) where state = 'open';

create table reconciliation_break (
  merchant_id text references merchant,
  break_no bigint,
  channel_id text not null,
  day date not null,
  -- What it is about, in words that never change: line 3/12/0, transfer PK-1 17, unparsed 3/14, fees 3/2026-11-21.
  subject text not null,
  kind text not null check (kind in ('missing_at_channel', 'missing_in_ledger', 'amount', 'currency', 'status', 'duplicate', 'fee', 'late_reversal',
    'unparsed', 'balance')),
  state text not null default 'open' check (state in ('open', 'posting', 'matched', 'linked', 'posted', 'written_off', 'charged')),
  -- What the statement shows beyond the ledger, with its sign.
  amount numeric(18, 2) not null,
  file_no bigint,
  line_no integer,
  part integer,
  owner_id text,
  transfer_no bigint,
  order_no text,
  decided_by text,
  approver text,
  reason text,
  opened_at timestamptz(3) not null default clock_timestamp(),
  decided_at timestamptz(3),
  closed_at timestamptz(3),
  names text,
  -- The first of several days that a break is about. Null: only its day.
  since date,
  answers bigint,
  match_no bigint,
  credited_id text,
  credited_transfer_no bigint,
  -- What of its amount the platform bears.
  written_off numeric(18, 2) not null default 0,
  -- Where the rest of its amount was posted, and where what answers it is posted.
  account text,
  primary key (merchant_id, break_no),
  constraint reconciliation_break_check check (approver <> decided_by),
  constraint reconciliation_break_check1 check ((state in ('open', 'posting')) = (closed_at is null))
);
${numbered('reconciliation_break', ['merchant_id'], 'break_no')}
create unique index reconciliation_break_open on reconciliation_break (merchant_id, subject) where state in ('open', 'posting');
create index reconciliation_break_subject on reconciliation_break (merchant_id, subject);
create index reconciliation_break_of_channel on reconciliation_break (merchant_id, channel_id, day) where state in ('open', 'posting');
create index reconciliation_break_at on reconciliation_break (opened_at, merchant_id, break_no);
create index reconciliation_break_named on reconciliation_break (merchant_id, break_no) where names is not null and state = 'open';
create index reconciliation_break_waiting on reconciliation_break (opened_at, merchant_id, break_no) where state = 'open';
create index reconciliation_break_answers on reconciliation_break (merchant_id, answers) where answers is not null;
create index reconciliation_break_ended on reconciliation_break (merchant_id, channel_id, day) where state in ('posted', 'written_off', 'charged');
create index reconciliation_break_borne on reconciliation_break (merchant_id, channel_id) where state in ('written_off', 'charged');
create index reconciliation_break_missing on reconciliation_break (coalesce(credited_id, owner_id)) where state in ('open', 'posting', 'posted', 'written_off', 'charged')
  and amount < 0 and coalesce(credited_id, owner_id) is not null;
create index reconciliation_break_uncredited on reconciliation_break (merchant_id) where owner_id = merchant_id and credited_id is null
  and amount < 0 and state in ('open', 'posted');
create index reconciliation_break_of_entry on reconciliation_break (merchant_id, owner_id, transfer_no) where owner_id is not null;
`;
