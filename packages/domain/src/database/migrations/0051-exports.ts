import { Migration } from '@mikro-orm/migrations';

/** Exports of operators, and their files until they are purged. The previous version does not use these tables. */
export class Exports extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create table data_export (
  export_id text primary key check (export_id ~ '^[0-9a-f-]{36}$'),
  kind text not null check (kind in ('orders', 'wallet_statement', 'breaks', 'statement_lines', 'audit_records')),
  format text not null check (format in ('csv', 'xlsx', 'html')),
  state text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed', 'cancelled')),
  -- Whose audit chain has its records.
  tenant text not null,
  requested_by text not null,
  -- The restriction of the operator who asked, when they asked.
  countries text[],
  merchant_ids text[],
  -- Filter or period. Personal data, as what operators search by: it is purged with the file.
  input jsonb not null,
  name text not null check (length(name) between 1 and 100),
  rows_written integer not null default 0,
  rows_expected integer,
  size bigint not null default 0,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  failure text check (length(failure) between 1 and 300),
  -- Counts the processes that began to write it. Only the last one may write.
  run_no integer not null default 0,
  leased_until timestamptz(3),
  requested_at timestamptz(3) not null default clock_timestamp(),
  ended_at timestamptz(3),
  expires_at timestamptz(3),
  check ((state in ('waiting', 'running')) = (ended_at is null)),
  check ((state = 'ready') = (sha256 is not null)),
  check ((state = 'failed') = (failure is not null)),
  check ((state = 'ready') = (expires_at is not null))
) with (fillfactor = 70);
create index data_export_open on data_export (requested_at, export_id) where state in ('waiting', 'running');
create index data_export_at on data_export (requested_at, export_id);
create index data_export_of_operator on data_export (requested_by, requested_at, export_id);
create index data_export_ended on data_export (ended_at);

create table data_export_chunk (
  export_id text not null references data_export on delete cascade,
  chunk_no integer not null,
  content bytea not null check (length(content) between 1 and 262144),
  primary key (export_id, chunk_no)
);

alter table retention drop constraint retention_kind_check;
alter table retention add constraint retention_kind_check
  check (kind in ('notification', 'notification_attempt', 'channel_call', 'channel_memory', 'data_export')) not valid;
insert into retention (kind) values ('data_export');
`;
