import { Migration } from '@mikro-orm/migrations';

/**
 * Seals of past months of the ledger, and each merchant's progress to the next seal. The previous version makes no
 * seals, and checks the whole ledger every day.
 */
export class PeriodSeals extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
-- The service's keys that sign seals. The newest signs, each verifies what it signed. The private key is sealed.
create table seal_key (
  key_id text primary key,
  private_key bytea not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create trigger no_delete before delete on seal_key for each row execute function refuse_change();
create trigger no_delete_whole before truncate on seal_key for each statement execute function refuse_change();

create table period_seal (
  merchant_id text not null,
  seal_no integer not null check (seal_no > 0),
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
create index period_seal_by_age on period_seal (coalesce(verified_at, '-infinity'::timestamptz), merchant_id, seal_no)
  include (verified_at, period, rows);

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
create trigger no_delete before delete on period_seal for each row execute function refuse_change();
create trigger no_delete_whole before truncate on period_seal for each statement execute function refuse_change();

-- How far the period was read that has no seal yet.
create table period_walk (
  merchant_id text primary key,
  walk jsonb not null,
  walked_at timestamptz(3) not null default clock_timestamp()
) with (fillfactor = 70);

alter table audit_run drop constraint audit_run_run_check;
alter table audit_run add constraint audit_run_run_check check (run in ('incremental', 'whole', 'sealing'));
insert into audit_run (run) values ('sealing');
-- How many steps the last finished run took. A long one is spread over several days.
alter table audit_run add column last_steps bigint;
`;
