import { appendOnly, neverDeleted, notAhead } from './rules.ts';

/** Statements of channels and banks: their files, lines and balances. */
export const statements = `
create table reconciled_channel (
  merchant_id text references merchant,
  channel_id text references channel,
  -- Earlier days are not reconciled.
  begins_on date not null,
  tolerance numeric(14, 2) not null default 0 check (tolerance >= 0),
  -- The account that statements have to be about; null: any.
  account text check (length(account) >= 1 and length(account) <= 128),
  -- Whether the channel's statements are fetched by schedule.
  fetches boolean not null default false,
  primary key (merchant_id, channel_id)
);

create table csv_profile (
  name text check (name ~ '^[a-z0-9-]{1,50}$'),
  version integer check (version >= 1 and version <= 999),
  profile jsonb not null,
  created_by text not null,
  -- The second operator.
  approved_by text,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (name, version)
);
${appendOnly('csv_profile')}

create table statement_file (
  merchant_id text references merchant,
  file_no bigint generated always as identity,
  state text not null default 'uploading' check (state in ('uploading', 'uploaded', 'received', 'imported', 'refused')),
  channel_id text references channel,
  format text,
  format_version integer,
  name text not null check (length(name) >= 1 and length(name) <= 100),
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
  -- The day for which a file was fetched: it is covered, also if the file has no lines. Null: it was uploaded.
  fetched_day date,
  -- When the bytes of an imported or refused file were deleted, because their time was over.
  content_deleted_at timestamptz(3),
  -- The last day of which the file says that it shows all. Null: not imported yet.
  covered_until date,
  confirmed_by text,
  confirmed_at timestamptz(3),
  -- The operators who had it imported, each with an audit record.
  imported_by text[] not null default '{}' check (cardinality(imported_by) <= 100),
  -- How many files of the channel had the same content before, each replaced by another version since.
  content_no integer not null default 0,
  primary key (merchant_id, file_no),
  constraint statement_file_check check ((state in ('received', 'imported', 'refused')) <= ((channel_id is not null) and (format is not null)
    and (sha256 is not null))),
  constraint statement_file_confirmed_check check ((confirmed_by is null) = (confirmed_at is null)),
  constraint statement_file_two_people_check check (confirmed_by is null or confirmed_by <> uploaded_by and confirmed_by <> all(imported_by)
    and fetched_day is null)
);
create unique index statement_file_content on statement_file (merchant_id, channel_id, sha256, content_no) where state in ('received', 'imported');
create index statement_file_at on statement_file (uploaded_at, merchant_id, file_no);
create index statement_file_waiting on statement_file (uploaded_at) where state in ('uploading', 'received');
create index statement_file_content_kept on statement_file (uploaded_at) where state in ('imported', 'refused') and content_deleted_at is null;

create function refuse_other_confirmation() returns trigger language plpgsql as $$
begin
  raise exception 'statement %: its confirmation stays', old.file_no using errcode = 'restrict_violation';
end $$;
create trigger confirmed_once before update on statement_file for each row
  when (old.confirmed_by is not null and (new.confirmed_by is distinct from old.confirmed_by or new.confirmed_at is distinct from old.confirmed_at))
  execute function refuse_other_confirmation();

-- What a file is, once its upload ended. The import compares the hash.
create function refuse_change_of_file() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if owns(tg_relid) then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise exception 'statement file % of %: its content stays, and % does not become %', old.file_no, old.merchant_id, old.state,
    case tg_op when 'DELETE' then 'deleted' else new.state end using errcode = 'restrict_violation';
end $$;
create trigger goes_on before update on statement_file for each row
  when (new.merchant_id is distinct from old.merchant_id or new.file_no is distinct from old.file_no or new.name is distinct from old.name
    or new.uploaded_by is distinct from old.uploaded_by or not new.imported_by @> old.imported_by or new.uploaded_at is distinct from old.uploaded_at or old.state <> 'uploading'
    and (new.sha256 is distinct from old.sha256 or new.size is distinct from old.size) or old.content_deleted_at is not null
    and new.content_deleted_at is distinct from old.content_deleted_at or new.state <> old.state and (old.state <> 'uploading'
    or new.state <> 'uploaded') and (old.state <> 'uploaded' or new.state <> 'received') and (old.state <> 'refused' or new.state <> 'received')
    and (old.state <> 'received' or new.state <> 'imported') and (old.state <> 'received' or new.state <> 'refused'))
  execute function refuse_change_of_file();
-- 31 days is the shortest retention that can be configured.
create trigger kept_long_enough before update on statement_file for each row
  when (old.content_deleted_at is null and new.content_deleted_at is not null
    and (old.state not in ('imported', 'refused') or old.uploaded_at > clock_timestamp() - interval '31 days'))
  execute function refuse_change_of_file();
create trigger no_delete before delete on statement_file for each row
  when (old.state not in ('uploading', 'uploaded'))
  execute function refuse_change_of_file();

create table statement_chunk (
  merchant_id text,
  file_no bigint,
  chunk_no integer,
  content bytea not null check (length(content) >= 1 and length(content) <= 262144),
  primary key (merchant_id, file_no, chunk_no),
  foreign key (merchant_id, file_no) references statement_file(merchant_id, file_no)
);

-- Chunks are written during the upload, and deleted with it, or once the content of the file is purged.
create function refuse_change_of_chunk() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  chunk record := case tg_op when 'INSERT' then new else old end;
begin
  if not owns(tg_relid) and (tg_op = 'UPDATE' or not exists (
    select from statement_file f where f.merchant_id = chunk.merchant_id and f.file_no = chunk.file_no
      and (f.state = 'uploading' or tg_op = 'DELETE' and (f.state = 'uploaded' or f.content_deleted_at is not null))))
  then
    raise exception 'statement file % of %: its content stays', chunk.file_no, chunk.merchant_id using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger content_stays before insert or delete or update on statement_chunk for each row execute function refuse_change_of_chunk();

-- The file of a channel's day, in one format. Days are those of the country.
create table statement_fetch (
  merchant_id text references merchant,
  channel_id text references channel,
  format text check (length(format) >= 1 and length(format) <= 64),
  day date,
  -- received: the file waits for its import. given_up: it did not come in time; an operator can ask for it again.
  state text not null default 'due' check (state in ('due', 'received', 'fetched', 'given_up')),
  attempts integer not null default 0,
  next_at timestamptz(3) not null,
  give_up_at timestamptz(3) not null,
  -- What came of the last attempt, in words without personal data. Null: none was made.
  outcome text check (outcome in ('not_ready', 'unknown', 'refused')),
  detail text check (length(detail) <= 300),
  -- Which attempt is at it, and until when no other may begin.
  holder text,
  held_until timestamptz(3),
  -- The operator who asked for it; null: the schedule.
  asked_by text,
  file_no bigint,
  -- Bytes that the attempts for the day have transferred, used or not.
  bytes bigint not null default 0 check (bytes >= 0),
  primary key (merchant_id, channel_id, format, day),
  constraint statement_fetch_check check ((holder is null) = (held_until is null)),
  constraint statement_fetch_check1 check (state <> 'received' or file_no is not null)
) with (fillfactor = 70);
${notAhead('statement_fetch', 'held_until')}
create index statement_fetch_missing on statement_fetch (next_at) where state in ('due', 'given_up');
create index statement_fetch_held on statement_fetch (channel_id) where held_until is not null;
create index statement_fetch_received on statement_fetch (merchant_id, file_no) where state = 'received';

create table statement_line (
  merchant_id text,
  file_no bigint,
  line_no integer,
  part integer,
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
  -- A line that is entered as a report moves money the way of its type.
  constraint type_has_direction check (case type
    when 'payin' then direction = 'in'
    when 'payout' then direction = 'out'
    when 'refund' then direction = 'out'
    when 'payout_return' then direction = 'in'
    else true end),
  constraint statement_line_check check (case direction
    when 'in' then gross = (net + fee + tax)
    else net = (gross + fee + tax) end)
);
create index statement_line_day on statement_line (merchant_id, channel_id, day);
create index statement_line_ref on statement_line (merchant_id, channel_id, channel_ref) where channel_ref is not null;
create index statement_line_bank_ref on statement_line (merchant_id, channel_id, bank_ref) where bank_ref is not null;
${appendOnly('statement_line')}

create table statement_balance (
  merchant_id text,
  file_no bigint,
  -- The place of the statement within its file, from 1.
  place integer,
  channel_id text not null,
  first_day date not null,
  last_day date not null,
  opening numeric(24, 2) not null,
  closing numeric(24, 2) not null,
  -- Whether it counts in the chain: no other statement shows its period again, or shows more of it.
  is_current boolean not null default true,
  primary key (merchant_id, file_no, place),
  constraint statement_balance_check check (first_day <= last_day)
);
create index statement_balance_of_channel on statement_balance (merchant_id, channel_id, first_day);
${neverDeleted('statement_balance')}

create table statement_unparsed (
  merchant_id text,
  file_no bigint,
  line_no integer,
  reason text not null check (length(reason) >= 1 and length(reason) <= 200),
  primary key (merchant_id, file_no, line_no)
);
${appendOnly('statement_unparsed')}
`;
