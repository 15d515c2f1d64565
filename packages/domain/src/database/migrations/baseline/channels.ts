import { recordsConfiguration, unchangeable } from './rules.ts';

/** Channels of providers, routes to them, and what is known of their health. */
export const channels = String.raw`
create table channel (
  channel_id text primary key check (channel_id ~ '^[a-z0-9-]{2,32}$'),
  adapter text not null,
  base_url text not null check (base_url = '' or base_url ~ '^https?://[^/\\@[:space:]]+(/[^\\[:space:]]*)?$'),
  enabled boolean not null default true,
  payin_expiry_seconds integer not null default 1800 check (payin_expiry_seconds > 0),
  created_at timestamptz(3) not null default clock_timestamp(),
  changed_at timestamptz(3) not null default clock_timestamp(),
  -- By the names of the secrets: times as text.
  credentials_set_at jsonb not null default '{}',
  -- What its adapter stated when it was last set, or operators declared.
  mode text check (mode in ('live', 'test', 'unknown')),
  declared_mode text check (declared_mode in ('live', 'test')),
  declared_by text,
  declared_approver text,
  declared_at timestamptz(3),
  declared_evidence text check (length(declared_evidence) >= 1 and length(declared_evidence) <= 1000),
  -- What its adapter saw of key and host when they were entered, with both: most processes cannot open all keys.
  seen jsonb,
  constraint whole_declaration check (num_nulls(declared_mode, declared_by, declared_at, declared_evidence) in (0, 4))
);

create function drop_credentials_of_host() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if owns(tg_relid) then
    return new;
  end if;
  delete from channel_credential where channel_id = old.channel_id;
  return new;
end $$;
create trigger another_host before update on channel for each row
  when (host_of(new.base_url) <> host_of(old.base_url) or new.adapter <> old.adapter)
  execute function drop_credentials_of_host();

create trigger stamp_change before update on channel for each row execute function stamp_change();

-- A declaration is about one account: another key or another host needs another declaration. Sealing the same
-- credentials with another key changes neither.
create function void_declaration() returns trigger language plpgsql as $$
begin
  if new.declared_at is not distinct from old.declared_at then
    new.declared_mode := null;
    new.declared_by := null;
    new.declared_approver := null;
    new.declared_at := null;
    new.declared_evidence := null;
  end if;
  return new;
end $$;
create trigger void_declaration before update on channel for each row
  when (old.declared_at is not null and (old.adapter is distinct from new.adapter or old.base_url is distinct from new.base_url
    or old.credentials_set_at is distinct from new.credentials_set_at))
  execute function void_declaration();
${recordsConfiguration('channel', 'channel')}

create table channel_credential (
  channel_id text references channel,
  name text,
  payin bytea,
  callback bytea,
  payout bytea,
  statement bytea,
  primary key (channel_id, name),
  constraint credential_has_a_purpose check (num_nonnulls(payin, callback, payout, statement) > 0)
);

create table bank_mapping (
  channel_id text references channel,
  kind text check (kind in ('payin', 'payout')),
  bank_code text check (bank_code ~ '^[A-Z0-9_]{2,32}$'),
  channel_bank_code text not null,
  primary key (channel_id, kind, bank_code)
);

-- A bank mapping belongs to its channel.
create function touch_channel() returns trigger language plpgsql as $$
begin
  update public.channel set changed_at = clock_timestamp() where channel_id = coalesce(new.channel_id, old.channel_id);
  return null;
end $$;
create trigger changes_channel after insert or delete or update on bank_mapping for each row execute function touch_channel();
${recordsConfiguration('bank_mapping', 'channel')}

create table route (
  merchant_id text references merchant,
  route_no integer,
  kind text not null check (kind in ('payin', 'payout')),
  bank_code text,
  channel_id text not null references channel,
  mode text not null default 'upstream' check (mode in ('upstream', 'market', 'manual')),
  min_amount numeric(14, 2) not null default 0.01,
  max_amount numeric(14, 2) not null default 999999999999.99,
  priority integer not null default 100,
  weight integer not null default 1 check (weight > 0),
  enabled boolean not null default true,
  primary key (merchant_id, route_no)
);
create trigger changes_merchant after insert or delete or update on route for each row execute function touch_merchant();
${recordsConfiguration('route', 'merchant')}

-- Calls to channels, and of channels, by the minute and hour in which they began. Minutes are kept for two hours, hours for eight days.
create table channel_health (
  channel_id text,
  grain text check (grain in ('minute', 'hour')),
  starts_at timestamptz(3),
  operation text,
  calls bigint not null,
  -- With an answer of the channel, whatever it said; and those refused outright.
  answered bigint not null,
  refused bigint not null,
  -- Durations: buckets, and how many calls are in each.
  buckets integer[] not null,
  counts integer[] not null,
  last_error text,
  last_error_at timestamptz(3),
  primary key (channel_id, grain, starts_at, operation)
) with (fillfactor = 80);

create table channel_call (
  merchant_id text,
  order_no text,
  call_id text check (length(call_id) <= 64),
  channel_id text not null check (length(channel_id) <= 32),
  operation text not null check (operation in ('create', 'query', 'cancel', 'callback', 'refund', 'query_refund')),
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  -- Roll-ups count by it.
  outcome text not null check (length(outcome) <= 64),
  detail text check (length(detail) <= 4096),
  -- Whether it may have reached the channel, and whether the channel answered: an unknown order is an answer too.
  is_sent boolean not null,
  is_answer boolean not null,
  primary key (merchant_id, order_no, call_id)
);
-- Some 100 bytes for each MiB of rows, and next to nothing for a row that is written.
create index channel_call_by_time on channel_call using brin (started_at);

-- Of the logs, which are otherwise append-only. The argument is the kind; partitions have other names than their table.
create function refuse_early_deletion() returns trigger language plpgsql as $$
begin
  if old.started_at >= (select until from public.retention where kind = tg_argv[0]) then
    raise exception '% is append-only: DELETE refused', tg_argv[0] using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger kept_long_enough before delete on channel_call for each row execute function refuse_early_deletion('channel_call');
${unchangeable('channel_call')}

-- Calls to a channel that another process asks the worker for. The worker answers, and the asker deletes the row.
create table channel_question (
  merchant_id text,
  question_id uuid,
  order_no text not null,
  channel_id text not null,
  channel_ref text,
  operation text not null default 'query' check (operation in ('query', 'cancel')),
  asked_at timestamptz(3) not null default clock_timestamp(),
  taken_at timestamptz(3),
  answer jsonb,
  primary key (merchant_id, question_id)
);
create index channel_question_of_order on channel_question (merchant_id, order_no) where taken_at is null;

create table channel_memory (
  channel_id text references channel,
  -- Contains no personal data: adapters use a keyed hash.
  key text check (char_length(key) >= 1 and char_length(key) <= 200),
  value text not null check (char_length(value) >= 1 and char_length(value) <= 1000),
  created_at timestamptz(3) not null default clock_timestamp(),
  -- Whether it is about one order. All else is kept for ever.
  of_order boolean not null default false,
  primary key (channel_id, key)
);
create index channel_memory_of_orders on channel_memory (created_at) where of_order;

create function refuse_loss_of_memory() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (
    select from gone g where not g.of_order or g.created_at > clock_timestamp() - interval '31 days'
      or g.created_at >= (select coalesce(min(o.created_at), 'infinity') from orders o where o.kind = 'payin' and o.status in ('created', 'processing', 'partial_paid'))
      or g.created_at >= (select coalesce(min(o.created_at), 'infinity') from orders o where o.kind = 'payout' and o.status in ('created', 'processing', 'market_available')))
    and not owns(tg_relid)
  then
    raise exception 'channels may still need what they remember' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger kept_long_enough after delete on channel_memory referencing old table as gone for each statement execute function refuse_loss_of_memory();

create function refuse_memory_of_refund() returns trigger language plpgsql as $$
begin
  raise exception 'the REST adapter remembers nothing but of orders' using errcode = 'insufficient_privilege';
end $$;
create trigger remembered_by_its_process before insert on channel_memory for each row
  when (current_user in ('tidegate_rest', 'tidegate_rest_ledger') and (not new.of_order or new.key like '%refund%'))
  execute function refuse_memory_of_refund();
`;
