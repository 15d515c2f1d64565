import { appendOnly, recordsConfiguration } from './rules.ts';

/** Countries, and merchants with their keys and fees. */
export const configuration = `
create table environment (
  name text primary key check (name in ('sandbox', 'production')),
  settled_at timestamptz(3) not null default clock_timestamp()
);
-- One row at most.
create unique index one_environment on environment ((true));
${appendOnly('environment')}

create function settle_environment(wanted text) returns void language plpgsql as $$
declare
  known pg_catalog.text := (select name from public.environment);
begin
  if known = wanted then
    return;
  end if;
  if known is not null then
    raise exception 'this database is of the environment %, and never becomes one of %', known, wanted using errcode = 'restrict_violation';
  end if;
  execute format('alter table public.orders add column is_live boolean not null default %L', wanted = 'production');
  execute format('alter table public.orders add constraint of_environment check (is_live = %L)', wanted = 'production');
  execute format('alter table public.channel add constraint of_environment check (mode <> %L)',
    case wanted when 'production' then 'test' else 'live' end);
  insert into public.environment (name) values (wanted);
end $$;
revoke execute on function settle_environment(text) from public;

create table country (
  code text primary key check (code ~ '^[A-Z][A-Z]$'),
  currency text not null check (currency ~ '^[A-Z][A-Z][A-Z]$')
);

-- One row per merchant and channel, so that it needs no cleaning. What was deleted stays here.
create table configuration_change (
  kind text check (kind in ('merchant', 'channel')),
  -- The number of a merchant or the name of a channel; * where a whole table was emptied.
  id text,
  -- The transaction that changed it. Readers compare it with the snapshots that they have seen, not with a clock.
  xid xid8 not null default pg_current_xact_id(),
  primary key (kind, id)
);
create index configuration_change_xid on configuration_change (xid);

create table merchant (
  merchant_id text primary key check (merchant_id ~ '^[A-Z0-9-]{3,32}$'),
  name text not null,
  country text not null,
  currency text not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  payin_enabled boolean not null default true,
  payout_enabled boolean not null default true,
  accept_deprecated_fields boolean not null default false,
  default_notify_url text,
  ip_allow_list text[],
  requests_per_second integer not null default 2000 check (requests_per_second > 0),
  request_burst integer not null default 4000 check (request_burst > 0),
  payin_min numeric(14, 2) not null default 0.01,
  payin_max numeric(14, 2) not null default 999999999.99,
  payout_min numeric(14, 2) not null default 0.01,
  payout_max numeric(14, 2) not null default 999999999.99,
  tag text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  changed_at timestamptz(3) not null default clock_timestamp(),
  notifications_paused boolean not null default false
);
create index merchant_tag on merchant (tag);
create index merchant_changed_at on merchant (changed_at);

-- Arguments: the kind, and the column with the id. A row that moves to another merchant changes both.
create function record_configuration_change() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  ids text[] := '{*}';
begin
  if tg_level = 'ROW' then
    ids := array[to_jsonb(old) ->> tg_argv[1], to_jsonb(new) ->> tg_argv[1]];
  end if;
  insert into public.configuration_change as c (kind, id)
    select distinct tg_argv[0], i from unnest(ids) as i where i is not null order by 2
    on conflict (kind, id) do update set xid = excluded.xid where c.xid <> excluded.xid;
  return null;
end $$;

create function refuse_unknown_country() returns trigger language plpgsql as $$
begin
  if not exists (select from public.country c where c.code = new.country and c.currency = new.currency) then
    raise exception '% with % is no country of the service', new.country, new.currency using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger known_country before insert or update of country, currency on merchant for each row execute function refuse_unknown_country();

create function stamp_change() returns trigger language plpgsql as $$
begin
  new.changed_at = clock_timestamp();
  return new;
end $$;
create trigger stamp_change before update on merchant for each row execute function stamp_change();
${recordsConfiguration('merchant', 'merchant')}

create table merchant_key (
  merchant_id text references merchant,
  key_id text,
  public_key_pem text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (merchant_id, key_id)
);

-- Processes keep merchants in memory and ask once a second which have changed: so every change of what belongs to one shows on it.
create function touch_merchant() returns trigger language plpgsql as $$
begin
  update public.merchant set changed_at = clock_timestamp() where merchant_id = coalesce(new.merchant_id, old.merchant_id);
  return null;
end $$;
create trigger changes_merchant after update of public_key_pem, expires_at on merchant_key for each row execute function touch_merchant();
create trigger changes_merchant_on_insert after insert or delete on merchant_key for each row execute function touch_merchant();

create function claim_public_key() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.public_key_owner (key_id, owner) values (new.key_id, new.merchant_id) on conflict (key_id) do nothing;
  -- The id of a service key ends with the beginning of its fingerprint.
  if (select owner from public.public_key_owner where key_id = new.key_id) <> new.merchant_id
    or exists (select from public.merchant_service_key s where new.key_id ^@ split_part(s.key_id, '.', 2)) then
    raise exception 'this public key belongs to another merchant, or is one of ours'
      using errcode = 'unique_violation', constraint = 'public_key_owner_pkey';
  end if;
  return new;
end $$;
create trigger claim_public_key before insert on merchant_key for each row execute function claim_public_key();
${recordsConfiguration('merchant_key', 'merchant', 'last_used_at')}

-- Whose a public key is, over all merchants: a request that two merchants' keys verify could be sent again under the other number.
create table public_key_owner (
  key_id text primary key,
  owner text not null
);

create table merchant_service_key (
  merchant_id text references merchant,
  key_id text,
  public_key_pem text not null,
  private_key bytea not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- Null: the merchant's current key. Until then an old one stays published.
  retires_at timestamptz(3),
  primary key (merchant_id, key_id)
);
create unique index merchant_service_key_current on merchant_service_key (merchant_id) where retires_at is null;
create trigger changes_merchant after update of retires_at on merchant_service_key for each row execute function touch_merchant();
create trigger changes_merchant_on_insert after insert or delete on merchant_service_key for each row execute function touch_merchant();

create table fee_rule (
  merchant_id text references merchant,
  kind text check (kind in ('payin', 'payout')),
  bank_code text default '',
  percent numeric(7, 4) not null check (percent >= 0 and percent <= 100),
  fixed numeric(14, 2) not null check (fixed >= 0),
  minimum numeric(14, 2) check (minimum >= 0),
  maximum numeric(14, 2),
  is_refundable boolean not null default false,
  primary key (merchant_id, kind, bank_code),
  constraint fee_rule_check check (maximum >= minimum)
);
create trigger changes_merchant after insert or delete or update on fee_rule for each row execute function touch_merchant();
${recordsConfiguration('fee_rule', 'merchant')}

create table scheduled_fee_rule (
  merchant_id text references merchant,
  kind text check (kind in ('payin', 'payout')),
  bank_code text default '',
  begins_at timestamptz(3),
  percent numeric(7, 4) not null check (percent >= 0 and percent <= 100),
  fixed numeric(14, 2) not null check (fixed >= 0),
  minimum numeric(14, 2) check (minimum >= 0),
  maximum numeric(14, 2),
  is_refundable boolean not null default false,
  primary key (merchant_id, kind, bank_code, begins_at),
  constraint scheduled_fee_rule_check check (maximum >= minimum)
);
create trigger changes_merchant after insert or delete or update on scheduled_fee_rule for each row execute function touch_merchant();
${recordsConfiguration('scheduled_fee_rule', 'merchant')}
`;
