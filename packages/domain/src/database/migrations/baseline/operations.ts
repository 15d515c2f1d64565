import { appendOnly, notAhead } from './rules.ts';

/** Exports, retention, and work that one process does at a time. */
export const operations = `
create table data_export (
  export_id text primary key check (export_id ~ '^[0-9a-f-]{36}$'),
  kind text not null check (kind in ('orders', 'wallet_statement', 'breaks', 'statement_lines', 'audit_records')),
  format text not null check (format in ('csv', 'xlsx', 'html')),
  state text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed', 'cancelled')),
  -- Whose audit records are about it.
  tenant text not null,
  requested_by text not null,
  -- The restriction of the operator who asked, when they asked.
  countries text[],
  merchant_ids text[],
  -- Filter or period. Personal data, as what operators search by: it is purged with the file.
  input jsonb not null,
  name text not null check (length(name) >= 1 and length(name) <= 100),
  rows_written integer not null default 0,
  rows_expected integer,
  size bigint not null default 0,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  failure text check (length(failure) >= 1 and length(failure) <= 300),
  -- Counts the processes that began to write it. Only the last one may write.
  run_no integer not null default 0,
  leased_until timestamptz(3),
  requested_at timestamptz(3) not null default clock_timestamp(),
  ended_at timestamptz(3),
  expires_at timestamptz(3),
  -- Transactions that wrote the ledger when it was requested. It is written when they have ended.
  in_flight text[],
  constraint data_export_check check ((state in ('waiting', 'running')) = (ended_at is null)),
  constraint data_export_check1 check ((state = 'ready') = (sha256 is not null)),
  constraint data_export_check2 check ((state = 'failed') = (failure is not null)),
  constraint data_export_check3 check ((state = 'ready') = (expires_at is not null))
) with (fillfactor = 70);
create index data_export_open on data_export (requested_at, export_id) where state in ('waiting', 'running');
create index data_export_at on data_export (requested_at, export_id);
create index data_export_of_operator on data_export (requested_by, requested_at, export_id);
create index data_export_ended on data_export (ended_at);

create table data_export_chunk (
  export_id text references data_export on delete cascade,
  chunk_no integer,
  content bytea not null check (length(content) >= 1 and length(content) <= 262144),
  primary key (export_id, chunk_no)
);

create table retention (
  kind text primary key check (kind in ('notification', 'notification_attempt', 'channel_call', 'channel_memory', 'data_export')),
  -- Rows from before this moment may be gone; it only ever moves forward.
  until timestamptz(3) not null default '-infinity',
  -- Whoever is at it.
  held_until timestamptz(3)
);
${notAhead('retention', 'held_until')}
insert into retention (kind) values ('notification'), ('notification_attempt'), ('channel_call'), ('channel_memory'), ('data_export');

-- The shortest retention that can be configured is 7 days. Times are rounded to milliseconds.
create function refuse_early_purge() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if owns(tg_relid) then
    return new;
  end if;
  raise exception 'retention of %: nothing is purged within 7 days', new.kind using errcode = 'restrict_violation';
end $$;
create trigger kept_long_enough before update on retention for each row
  when (new.until > old.until and new.until > ((clock_timestamp() - '7 days'::interval) + '00:00:01'::interval))
  execute function refuse_early_purge();

create function refuse_moving_back() returns trigger language plpgsql as $$
begin
  raise exception 'retention of % only moves forward', old.kind using errcode = 'restrict_violation';
end $$;
create trigger only_forward before update on retention for each row
  when (new.until < old.until)
  execute function refuse_moving_back();

create table exclusive_work (
  name text primary key
);
insert into exclusive_work (name) values ('orders'), ('accounts'), ('search'), ('facets'), ('entries'), ('channel_call'), ('notification_attempt'),
  ('expectations'), ('reconciliation'), ('watch'), ('fetches');
${appendOnly('exclusive_work')}

create function gather_first_statistics() returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare young constant boolean := (
  select coalesce(sum(greatest(reltuples, 0)), 0) < 100000 from pg_catalog.pg_class
  where relkind = 'r' and (oid = 'orders'::regclass or oid in (select relid from pg_partition_tree('orders'))));
begin
  -- Skipped if another session analyzes the table or changes it.
  if young then analyze (skip_locked) orders; end if;
  return young;
end $$;
`;
