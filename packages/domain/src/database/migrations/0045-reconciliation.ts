import { Migration } from '@mikro-orm/migrations';

/**
 * Statements of channels and banks, the entries that the ledger expects in them, matches, breaks and days.
 * `merchant_id` is the platform's tenant of the country. Only in `statement_expectation` and its match it is the
 * merchant of the transfer.
 */
export class Reconciliation extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const appendOnly = (table: string): string => `
create trigger append_only before update or delete on ${table} for each row execute function refuse_change();
create trigger append_only_whole before truncate on ${table} for each statement execute function refuse_change();`;

const sql = `
create table reconciled_channel (
  merchant_id text not null references merchant,
  channel_id text not null references channel,
  -- Earlier days are not reconciled.
  begins_on date not null,
  tolerance numeric(14, 2) not null default 0 check (tolerance >= 0),
  -- The account that statements have to be about; null: any.
  account text check (length(account) between 1 and 128),
  primary key (merchant_id, channel_id)
);

create table statement_file (
  merchant_id text not null references merchant,
  file_no bigint generated always as identity,
  state text not null default 'uploading' check (state in ('uploading', 'uploaded', 'received', 'imported', 'refused')),
  channel_id text references channel,
  format text,
  format_version integer,
  name text not null check (length(name) between 1 and 100),
  size bigint not null default 0,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  refusal text,
  lines integer,
  unparsed integer,
  first_day date,
  last_day date,
  total_in numeric(24, 2),
  total_out numeric(24, 2),
  opening numeric(24, 2),
  closing numeric(24, 2),
  uploaded_by text not null,
  uploaded_at timestamptz(3) not null default clock_timestamp(),
  imported_at timestamptz(3),
  primary key (merchant_id, file_no),
  check ((state in ('received', 'imported', 'refused')) <= (channel_id is not null and format is not null and sha256 is not null))
);
create unique index statement_file_content on statement_file (merchant_id, channel_id, sha256) where state in ('received', 'imported');
create index statement_file_at on statement_file (uploaded_at, merchant_id, file_no);
create index statement_file_waiting on statement_file (uploaded_at) where state in ('uploading', 'received');

create table statement_chunk (
  merchant_id text not null,
  file_no bigint not null,
  chunk_no integer not null,
  content bytea not null check (length(content) between 1 and 262144),
  primary key (merchant_id, file_no, chunk_no),
  foreign key (merchant_id, file_no) references statement_file
);

create table statement_line (
  merchant_id text not null,
  file_no bigint not null,
  line_no integer not null,
  part integer not null,
  channel_id text not null,
  day date not null,
  format_version integer not null,
  type text not null,
  direction text not null check (direction in ('in', 'out')),
  gross numeric(18, 2) not null check (gross >= 0),
  fee numeric(18, 2) not null check (fee >= 0),
  tax numeric(18, 2) not null check (tax >= 0),
  net numeric(18, 2) not null,
  currency text not null,
  occurred_at timestamptz(3),
  channel_ref text,
  order_no text,
  bank_ref text,
  settlement_ref text,
  balance_after numeric(18, 2),
  primary key (merchant_id, file_no, line_no, part),
  check (case direction when 'in' then gross = net + fee + tax else net = gross + fee + tax end)
);
create index statement_line_day on statement_line (merchant_id, channel_id, day);
create index statement_line_ref on statement_line (merchant_id, channel_id, channel_ref) where channel_ref is not null;
${appendOnly('statement_line')}

create table statement_unparsed (
  merchant_id text not null,
  file_no bigint not null,
  line_no integer not null,
  reason text not null check (length(reason) between 1 and 200),
  primary key (merchant_id, file_no, line_no)
);
${appendOnly('statement_unparsed')}

-- One movement at a channel that the ledger knows of: consecutive transfers of one payment, by the number of the first.
create table statement_expectation (
  merchant_id text not null,
  transfer_no bigint not null,
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
  merchant_id text not null,
  file_no bigint not null,
  line_no integer not null,
  part integer not null,
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
  merchant_id text not null,
  transfer_no bigint not null,
  tenant text not null,
  match_no bigint not null,
  matched_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, transfer_no)
);
create index matched_expectation_match on matched_expectation (tenant, match_no);
${appendOnly('matched_expectation')}

create table reconciliation_break (
  merchant_id text not null references merchant,
  break_no bigint not null,
  channel_id text not null,
  day date not null,
  -- What it is about, in words that never change: line 3/12/0, transfer PK-1 17, unparsed 3/14, fees 3/2026-11-21.
  subject text not null,
  kind text not null check (kind in
    ('missing_at_channel', 'missing_in_ledger', 'amount', 'currency', 'status', 'duplicate', 'fee', 'late_reversal', 'unparsed')),
  state text not null default 'open' check (state in ('open', 'posting', 'matched', 'linked', 'posted', 'written_off')),
  -- What the statement shows beyond the ledger, with its sign.
  amount numeric(18, 2) not null,
  file_no bigint,
  line_no integer,
  part integer,
  owner_id text,
  transfer_no bigint,
  order_no text,
  decided_by text,
  approver text check (approver <> decided_by),
  reason text,
  opened_at timestamptz(3) not null default clock_timestamp(),
  decided_at timestamptz(3),
  closed_at timestamptz(3),
  primary key (merchant_id, break_no),
  check ((state in ('open', 'posting')) = (closed_at is null))
);
create unique index reconciliation_break_open on reconciliation_break (merchant_id, subject) where state in ('open', 'posting');
create index reconciliation_break_subject on reconciliation_break (merchant_id, subject);
create index reconciliation_break_of_channel on reconciliation_break (merchant_id, channel_id, day) where state in ('open', 'posting');
create index reconciliation_break_at on reconciliation_break (opened_at, merchant_id, break_no);

create table reconciliation_day (
  merchant_id text not null references merchant,
  channel_id text not null references channel,
  day date not null,
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
  approver text check (approver <> closed_by),
  closed_at timestamptz(3),
  reopened_by text,
  reopened_at timestamptz(3),
  primary key (merchant_id, channel_id, day),
  check ((state = 'closed') = (closed_at is not null))
) with (fillfactor = 70);
create index reconciliation_day_due on reconciliation_day (merchant_id, channel_id) where is_due;
create index reconciliation_day_uncovered on reconciliation_day (merchant_id, channel_id, day) where not is_covered;
`;
