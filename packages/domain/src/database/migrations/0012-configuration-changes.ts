import { Migration } from '@mikro-orm/migrations';

/**
 * Records which transaction changed each merchant and channel last. So a process can read exactly the changes that it
 * has not seen yet.
 */
export class ConfigurationChanges extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

/** Each watched table: what its rows belong to, and the column that identifies that. */
const watched = [
  ['merchant', 'merchant', 'merchant_id'],
  ['merchant_key', 'merchant', 'merchant_id'],
  ['fee_rule', 'merchant', 'merchant_id'],
  ['route', 'merchant', 'merchant_id'],
  ['channel', 'channel', 'channel_id'],
  ['bank_mapping', 'channel', 'channel_id'],
] as const;

const sql = `
-- One row per merchant and channel, so that it needs no cleaning. What was deleted stays here.
create table configuration_change (
  kind text not null check (kind in ('merchant', 'channel')),
  -- The number of a merchant or the name of a channel; * where a whole table was emptied.
  id text not null,
  -- The transaction that changed it. Readers compare it with the snapshots that they have seen, not with a clock.
  xid xid8 not null default pg_current_xact_id(),
  primary key (kind, id)
);
create index configuration_change_xid on configuration_change (xid);

-- Arguments: the kind, and the column with the id. A row that moves to another merchant changes both.
create function record_configuration_change() returns trigger language plpgsql as $$
declare
  ids text[] := '{*}';
begin
  if tg_level = 'ROW' then
    ids := array[to_jsonb(old) ->> tg_argv[1], to_jsonb(new) ->> tg_argv[1]];
  end if;
  insert into configuration_change as c (kind, id)
    select distinct tg_argv[0], i from unnest(ids) as i where i is not null order by 2
    on conflict (kind, id) do update set xid = excluded.xid where c.xid <> excluded.xid;
  return null;
end $$;
${watched
  .map(
    ([table, kind, column]) => `
create trigger configuration_added after insert or delete on ${table}
  for each row execute function record_configuration_change('${kind}', '${column}');
create trigger configuration_changed after update on ${table} for each row
  when (${comparable(table, 'old')} is distinct from ${comparable(table, 'new')}) execute function record_configuration_change('${kind}', '${column}');
create trigger configuration_emptied after truncate on ${table}
  for each statement execute function record_configuration_change('${kind}', '${column}');
-- In sessions that apply replicated rows or restore a dump, too.
alter table ${table} enable always trigger configuration_added;
alter table ${table} enable always trigger configuration_changed;
alter table ${table} enable always trigger configuration_emptied;`,
  )
  .join('\n')}
`;

/**
 * All columns count, also those that later versions add. Only the last use of a key does not, because it changes all
 * the time.
 */
function comparable(table: string, row: 'old' | 'new'): string {
  return table === 'merchant_key' ? `to_jsonb(${row}) - 'last_used_at'` : `${row}.*`;
}
