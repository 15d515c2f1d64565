import { neverDeleted, notAhead } from './rules.ts';

/** What the audit found, how far it came, and its seals. */
export const audit = `
-- One row for each kind of run: who runs it, until when unless they say so again, and how far they have come.
create table audit_run (
  run text primary key check (run in ('incremental', 'whole', 'sealing')),
  holder text,
  held_until timestamptz(3),
  position jsonb,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  finished_runs bigint not null default 0,
  -- How many steps the last finished run took. A long one is spread over several days.
  last_steps bigint,
  constraint audit_run_check check ((holder is null) = (held_until is null))
);
${notAhead('audit_run', 'held_until')}
insert into audit_run (run, position) values
  ('incremental', jsonb_build_object('seenUntil', floor(extract(epoch from clock_timestamp()) * 1000))), ('whole', null), ('sealing', null);

create table audit_finding (
  merchant_id text,
  finding_no bigint generated always as identity,
  rule text not null,
  subject text not null,
  detail text not null,
  state text not null default 'open' check (state in ('open', 'repaired', 'accepted')),
  found_at timestamptz(3) not null default clock_timestamp(),
  last_found_at timestamptz(3) not null default clock_timestamp(),
  closed_at timestamptz(3),
  primary key (merchant_id, finding_no),
  constraint audit_finding_check check ((state = 'open') = (closed_at is null))
);
-- The same violation is one finding, however often it is found.
create unique index audit_finding_open on audit_finding (merchant_id, rule, subject) where state = 'open';
create index audit_finding_subject on audit_finding (merchant_id, rule, subject);
create index audit_finding_at on audit_finding (found_at);

-- With the rights of the owner: no role may add or remove a stop itself. A stop that is being released meanwhile is waited for, and followed by a new one.
create function stop_payouts() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into payout_stop as s (merchant_id, finding_no) values (new.merchant_id, new.finding_no)
    on conflict (merchant_id) where released_at is null do update set stopped_at = s.stopped_at;
  return null;
end $$;
create trigger stops_payouts after insert on audit_finding for each row execute function stop_payouts();
${neverDeleted('audit_finding')}

-- Up to where a merchant's books were found right: the numbers, the sums and the hash of the last link there, and the wallet's row as it was then.
create table audit_checkpoint (
  merchant_id text primary key,
  position jsonb not null,
  wallet_seen text,
  checked_at timestamptz(3) not null
);

-- What was found right stays as it was found: a checkpoint only moves forward, and is never deleted.
create function refuse_rewritten_checkpoint() returns trigger language plpgsql as $$
declare number pg_catalog.text;
begin
  new.position := old.position || new.position;
  foreach number in array array['entryNo', 'transferNo', 'auditNo', 'batchNo'] loop
    if (new.position ->> number)::bigint < (old.position ->> number)::bigint
      or number = 'batchNo' and new.position ->> 'batchNo' = old.position ->> 'batchNo' and new.position ->> 'batchHash' <> old.position ->> 'batchHash' then
      raise exception 'audit_checkpoint of % only moves forward', old.merchant_id using errcode = 'restrict_violation';
    end if;
  end loop;
  return new;
end $$;
create trigger only_forward before update on audit_checkpoint for each row execute function refuse_rewritten_checkpoint();
${neverDeleted('audit_checkpoint')}

create table payout_stop (
  merchant_id text,
  -- The finding that stopped them. Others may have come since.
  finding_no bigint,
  stopped_at timestamptz(3) not null default clock_timestamp(),
  released_at timestamptz(3),
  primary key (merchant_id, finding_no)
);
create unique index payout_stop_active on payout_stop (merchant_id) where released_at is null;

create function refuse_second_release() returns trigger language plpgsql as $$
begin
  raise exception 'payout stop % of % is released already', old.finding_no, old.merchant_id using errcode = 'restrict_violation';
end $$;
create trigger released_once before update on payout_stop for each row
  when (old.released_at is not null)
  execute function refuse_second_release();
${neverDeleted('payout_stop')}

-- The service's keys that sign seals. The newest signs, each verifies what it signed. The private key is sealed.
create table seal_key (
  key_id text primary key,
  private_key bytea not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
${neverDeleted('seal_key')}

create table period_seal (
  merchant_id text,
  seal_no integer check (seal_no > 0),
  -- The month in UTC.
  period text not null check (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- The work to verify it: entries, transfers, decisions and links.
  rows bigint not null,
  -- What is signed, as JSON (core/period-seal.ts).
  content text not null,
  key_id text not null,
  signature text not null,
  sealed_at timestamptz(3) not null default clock_timestamp(),
  -- When its file was on the disk, and when its rows were last compared with it.
  filed_at timestamptz(3),
  verified_at timestamptz(3),
  primary key (merchant_id, seal_no),
  unique (merchant_id, period)
);
create index period_seal_by_age on period_seal (coalesce(verified_at, '-infinity'::timestamp with time zone), merchant_id, seal_no) include
  (verified_at, period, rows);

create function refuse_changed_seal() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - 'filed_at' - 'verified_at') is distinct from (to_jsonb(old) - 'filed_at' - 'verified_at')
    or (old.filed_at is not null and new.filed_at is distinct from old.filed_at)
    or new.verified_at < old.verified_at or (old.verified_at is not null and new.verified_at is null) then
    raise exception 'seal % of % never changes', old.seal_no, old.merchant_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger only_forward before update on period_seal for each row execute function refuse_changed_seal();
${neverDeleted('period_seal')}

-- How far the period was read that has no seal yet.
create table period_walk (
  merchant_id text primary key,
  walk jsonb not null,
  walked_at timestamptz(3) not null default clock_timestamp()
) with (fillfactor = 70);

create table restored_period (
  period_from timestamptz(3),
  period_to timestamptz(3),
  -- Until then the rows of the period are not purged.
  keep_until timestamptz(3) not null,
  primary key (period_from, period_to),
  constraint restored_period_check check (period_from < period_to)
);
`;
