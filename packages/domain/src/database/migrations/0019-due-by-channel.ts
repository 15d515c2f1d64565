import { Migration } from '@mikro-orm/migrations';

/** Finds due orders channel by channel, and keeps the notifications of one order in the order of its statuses. */
export class DueByChannel extends Migration {
  // Indexes are made concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const statement of columns) this.addSql(statement);
    for (const index of indexes)
      for (const statement of makeIndex(index, await this.#partitionsOf(index.table))) this.addSql(statement);
  }

  /** The parts of a table that was split by merchant: PostgreSQL makes no index on all of them concurrently. */
  async #partitionsOf(table: string): Promise<string[]> {
    // The rules for migrations are tested without a database.
    if (!this.driver) return [];
    const rows = await this.execute(
      `select inhrelid::regclass::text as part from pg_inherits where inhparent = '${table}'::regclass order by inhrelid`,
    );
    return rows.map((row) => String((row as { part?: unknown }).part));
  }
}

interface Index {
  name: string;
  table: string;
  what: string;
}

const indexes: readonly Index[] = [
  {
    name: 'orders_due_by_channel',
    table: 'orders',
    what: '(next_action, channel_id, next_action_at) where next_action is not null',
  },
  {
    name: 'notification_behind_older',
    table: 'notification',
    // Only for statements that say the second condition, which is always true: look-ups by key would else take it on a small table.
    what: "(next_attempt_at) where held_by = 'order' and body <> ''",
  },
];

// What is left of a run that was broken off is not valid, and is dropped first.
function makeIndex({ name, table, what }: Index, partitions: readonly string[]): string[] {
  if (partitions.length === 0)
    return [`drop index concurrently if exists ${name}`, `create index concurrently ${name} on ${table} ${what}`];
  const parts = partitions.map((part) => ({ part, index: `${name}${part.replace(/^.*(_p[0-9]+)$/, '$1')}` }));
  return [
    // As a whole it cannot be dropped concurrently; without valid parts it holds nothing.
    `drop index if exists ${name}`,
    ...parts.flatMap(({ part, index }) => [
      `drop index concurrently if exists ${index}`,
      `create index concurrently ${index} on ${part} ${what}`,
    ]),
    `create index ${name} on only ${table} ${what}`,
    ...parts.map(({ index }) => `alter index ${name} attach partition ${index}`),
  ];
}

const columns = [
  // The place of its status among those that the order reached; 0 where an older release wrote the row.
  'alter table notification add column if not exists seq integer not null default 0',
  // Resent after it was delivered or exhausted: later statuses do not wait for it.
  'alter table notification add column if not exists is_repeat boolean not null default false',
  'alter table notification drop constraint if exists notification_held_by_check',
  "alter table notification add constraint notification_held_by_check check (held_by in ('host', 'pause', 'order')) not valid",
  'alter table notification validate constraint notification_held_by_check',
];
