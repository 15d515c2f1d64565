/** Operators, how they sign in, and what they set for themselves. */
export const access = `
create table operator (
  operator_id text primary key check (operator_id ~ '^[a-z0-9._@-]{2,64}$'),
  name text not null,
  roles text[] not null check (roles <@ array['viewer', 'support', 'operator', 'finance', 'admin']),
  enabled boolean not null default true,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- Null: not restricted.
  countries text[],
  merchant_ids text[] check (cardinality(merchant_ids) >= 1 and cardinality(merchant_ids) <= 1000),
  -- Who they are to an identity provider: its issuer and their subject there.
  external_id text unique,
  -- The roles that the identity provider named when it last let this person in, and when that was.
  identity_roles text[],
  identity_seen_at timestamptz(3)
);

create function refuse_unknown_countries() returns trigger language plpgsql as $$
begin
  if cardinality(new.countries) = 0 or exists (select from unnest(new.countries) as given(code) where not exists (
    select from public.country c where c.code = given.code
  )) then
    raise exception 'operator %: % has an unknown country', new.operator_id, new.countries using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger known_countries before insert or update of countries on operator for each row
  when (new.countries is not null)
  execute function refuse_unknown_countries();

create table operator_token (
  token_hash text primary key,
  operator_id text not null references operator,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3)
);
create index operator_token_of on operator_token (operator_id);

create table operator_session (
  -- The SHA-256 of a random id that only the browser's cookie holds.
  session_hash text primary key check (session_hash ~ '^[0-9a-f]{64}$'),
  operator_id text not null references operator,
  -- What it was begun with: a token of ours, or an identity of the identity provider.
  token_hash text references operator_token,
  external_id text,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  -- Written at most once a minute.
  last_used_at timestamptz(3) not null default clock_timestamp(),
  constraint operator_session_begun_with check (num_nonnulls(token_hash, external_id) = 1)
);
create index operator_session_of on operator_session (operator_id);
create index operator_session_end on operator_session (expires_at);

create table operator_invitation (
  -- The beginning of the code's hash, as with tokens.
  invitation_id text primary key,
  operator_id text not null references operator,
  code_hash text not null check (code_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  -- Until when the token that it gives lets in; null: until it is revoked.
  token_expires_at timestamptz(3),
  wrong_tries integer not null default 0,
  redeemed_at timestamptz(3),
  -- It was taken back, or guessed at too often.
  ended_at timestamptz(3),
  constraint operator_invitation_check check (expires_at > created_at)
);
create index operator_invitation_of on operator_invitation (operator_id);

create function refuse_opening_again() returns trigger language plpgsql as $$
begin
  raise exception 'invitation %: its tries only grow, and it ends once', old.invitation_id using errcode = 'restrict_violation';
end $$;
create trigger ends_once before update on operator_invitation for each row
  when (new.wrong_tries < old.wrong_tries or old.ended_at is not null and new.ended_at is distinct from old.ended_at)
  execute function refuse_opening_again();

-- How much money an operator moved without a second one, by UTC day and currency.
create table operator_day (
  operator_id text,
  day date,
  currency text,
  amount numeric(18, 2) not null default 0 check (amount >= 0),
  primary key (operator_id, day, currency)
);
create function refuse_smaller_day() returns trigger language plpgsql as $$
begin
  if public.owns(tg_relid) then
    return new;
  end if;
  raise exception 'what % moved on % only grows', old.operator_id, old.day using errcode = 'restrict_violation';
end $$;
create trigger only_grows before update on operator_day for each row
  when (new.amount < old.amount or (new.operator_id, new.day, new.currency) <> (old.operator_id, old.day, old.currency))
  execute function refuse_smaller_day();

create table operator_preferences (
  operator_id text primary key references operator,
  time_zone text not null check (length(time_zone) <= 64),
  colour_scheme text not null check (colour_scheme in ('light', 'dark', 'system')),
  -- Per screen the names of its columns, in their order.
  columns jsonb not null check (length((columns)::text) <= 32000)
);

create table saved_view (
  view_id uuid primary key,
  owner_id text not null references operator,
  screen text not null check (screen ~ '^[a-z_]{1,40}$'),
  name text not null check (length(name) >= 1 and length(name) <= 80),
  query text not null check (length(query) <= 2000),
  shared boolean not null,
  changed_at timestamptz(3) not null default clock_timestamp(),
  constraint saved_view_name unique (owner_id, screen, name)
);
create index saved_view_shared on saved_view (screen, name) where shared;
`;
