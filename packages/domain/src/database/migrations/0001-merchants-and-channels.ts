import { Migration } from '@mikro-orm/migrations';

/** Configuration: merchants, their keys, fees and routes, channels, and operators. */
export class MerchantsAndChannels extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
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
  check ((country, currency) in (('CN', 'CNY'), ('TH', 'THB'), ('IN', 'INR'), ('PK', 'PKR')))
);
create index merchant_tag on merchant (tag);
create index merchant_changed_at on merchant (changed_at);

create table merchant_key (
  merchant_id text not null references merchant,
  key_id text not null,
  public_key_pem text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (merchant_id, key_id)
);

create table fee_rule (
  merchant_id text not null references merchant,
  kind text not null check (kind in ('payin', 'payout')),
  bank_code text not null default '',
  percent numeric(7, 4) not null check (percent between 0 and 100),
  fixed numeric(14, 2) not null check (fixed >= 0),
  minimum numeric(14, 2) check (minimum >= 0),
  maximum numeric(14, 2) check (maximum >= minimum),
  primary key (merchant_id, kind, bank_code)
);

create table channel (
  channel_id text primary key check (channel_id ~ '^[a-z0-9-]{2,32}$'),
  adapter text not null,
  base_url text not null,
  credentials bytea,
  enabled boolean not null default true,
  payin_expiry_seconds integer not null default 1800 check (payin_expiry_seconds > 0),
  created_at timestamptz(3) not null default clock_timestamp(),
  changed_at timestamptz(3) not null default clock_timestamp()
);

create table route (
  merchant_id text not null references merchant,
  route_no integer not null,
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

create table bank_mapping (
  channel_id text not null references channel,
  kind text not null check (kind in ('payin', 'payout')),
  bank_code text not null check (bank_code ~ '^[A-Z0-9_]{2,32}$'),
  channel_bank_code text not null,
  primary key (channel_id, kind, bank_code)
);

-- Processes keep merchants in memory and ask once a second which have changed: so every change of what belongs to one shows on it.
create function touch_merchant() returns trigger language plpgsql as $$
begin
  update merchant set changed_at = clock_timestamp() where merchant_id = coalesce(new.merchant_id, old.merchant_id);
  return null;
end $$;
create function stamp_change() returns trigger language plpgsql as $$
begin
  new.changed_at = clock_timestamp();
  return new;
end $$;
create trigger stamp_change before update on merchant for each row execute function stamp_change();
create trigger stamp_change before update on channel for each row execute function stamp_change();
-- Not of last_used_at, which is written all the time.
create trigger touch_merchant_on_insert after insert or delete on merchant_key for each row execute function touch_merchant();
create trigger touch_merchant after update of public_key_pem, expires_at on merchant_key for each row execute function touch_merchant();
create trigger touch_merchant after insert or update or delete on fee_rule for each row execute function touch_merchant();
create trigger touch_merchant after insert or update or delete on route for each row execute function touch_merchant();
-- A bank mapping belongs to its channel.
create function touch_channel() returns trigger language plpgsql as $$
begin
  update channel set changed_at = clock_timestamp() where channel_id = coalesce(new.channel_id, old.channel_id);
  return null;
end $$;
create trigger touch_channel after insert or update or delete on bank_mapping for each row execute function touch_channel();

create table service_key (
  key_id text primary key,
  public_key_pem text not null,
  private_key bytea not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- The newest key without an end signs; one with an end is only published until then.
  retires_at timestamptz(3)
);

create table operator (
  operator_id text primary key check (operator_id ~ '^[a-z0-9._@-]{2,64}$'),
  name text not null,
  roles text[] not null check (roles <@ array['viewer', 'support', 'operator', 'finance', 'admin']),
  enabled boolean not null default true,
  created_at timestamptz(3) not null default clock_timestamp()
);

create table operator_token (
  token_hash text primary key,
  operator_id text not null references operator,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
`;
