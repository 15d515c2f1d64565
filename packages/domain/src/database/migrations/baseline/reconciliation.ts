import { appendOnly } from './rules.ts';

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
create unique index reconciliation_break_open on reconciliation_break (merchant_id, subject) where state in ('open', 'posting');
create index reconciliation_break_subject on reconciliation_break (merchant_id, subject);
create index reconciliation_break_of_channel on reconciliation_break (merchant_id, channel_id, day) where state in ('open', 'posting');
create index reconciliation_break_at on reconciliation_break (opened_at, merchant_id, break_no);
create index reconciliation_break_named on reconciliation_break (merchant_id, break_no) where names is not null and state = 'open';
create index reconciliation_break_waiting on reconciliation_break (opened_at, merchant_id, break_no) where state = 'open';
create index reconciliation_break_answers on reconciliation_break (merchant_id, answers) where answers is not null;
create index reconciliation_break_ended on reconciliation_break (merchant_id, channel_id, day) where state in ('posted', 'written_off', 'charged');
create index reconciliation_break_borne on reconciliation_break (merchant_id, channel_id) where state in ('written_off', 'charged');
create index reconciliation_break_missing on reconciliation_break (coalesce(credited_id, owner_id)) where state in ('posted', 'written_off', 'charged')
  and amount < 0 and coalesce(credited_id, owner_id) is not null;
create index reconciliation_break_uncredited on reconciliation_break (merchant_id) where owner_id = merchant_id and credited_id is null
  and amount < 0 and state in ('open', 'posted');
create index reconciliation_break_of_entry on reconciliation_break (merchant_id, owner_id, transfer_no) where owner_id is not null;
`;
