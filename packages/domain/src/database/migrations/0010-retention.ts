import { Migration } from '@mikro-orm/migrations';

/** Up to which time notifications, attempts and channel calls were purged. Newer rows still cannot be deleted. */
export class Retention extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create table retention (
  kind text primary key check (kind in ('notification', 'notification_attempt', 'channel_call')),
  -- Rows from before this moment may be gone; it only ever moves forward.
  until timestamptz(3) not null default '-infinity',
  -- Whoever is at it.
  held_until timestamptz(3)
);
insert into retention (kind) values ('notification'), ('notification_attempt'), ('channel_call');

create function refuse_moving_back() returns trigger language plpgsql as $$
begin
  raise exception 'retention of % only moves forward', old.kind using errcode = 'restrict_violation';
end $$;
create trigger only_forward before update on retention for each row when (new.until < old.until) execute function refuse_moving_back();

-- Of the logs, which are otherwise append-only. The argument is the kind; partitions have other names than their table.
create function refuse_early_deletion() returns trigger language plpgsql as $$
begin
  if old.started_at >= (select until from retention where kind = tg_argv[0]) then
    raise exception '% is append-only: DELETE refused', tg_argv[0] using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
${['notification_attempt', 'channel_call']
  .map(
    (table) => `
drop trigger append_only on ${table};
create trigger append_only before update on ${table} for each row execute function refuse_change();
create trigger kept_long_enough before delete on ${table} for each row execute function refuse_early_deletion('${table}');
-- Some 100 bytes for each MiB of rows, and next to nothing for a row that is written.
create index ${table}_by_time on ${table} using brin (started_at);`,
  )
  .join('')}
`;
