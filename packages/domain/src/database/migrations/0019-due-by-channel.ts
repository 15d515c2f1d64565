import { Migration } from '@mikro-orm/migrations';

/** Finds due orders per channel. Keeps the notifications of one order in the order of its statuses. */
export class DueByChannel extends Migration {
  // Indexes are created concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const statement of columns) this.addSql(statement);
    for (const index of indexes)
      for (const statement of makeIndex(index, await this.#partitionsOf(index.table))) this.addSql(statement);
  }

  /** The partitions of a table. PostgreSQL cannot create an index on all of them concurrently. */
  async #partitionsOf(table: string): Promise<string[]> {
    // tests/migrations.test.ts collects the statements without a database.
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
    // The second condition is always true. Only queries that repeat it use this index. On a small table, the planner
    // would otherwise choose it for look-ups by key.
    what: "(next_attempt_at) where held_by = 'order' and body <> ''",
  },
];

// Makes an index again: the one that an interrupted run left is invalid, so it is dropped first.
function makeIndex({ name, table, what }: Index, partitions: readonly string[]): string[] {
  if (partitions.length === 0)
    return [`drop index concurrently if exists ${name}`, `create index concurrently ${name} on ${table} ${what}`];
  const parts = partitions.map((part) => ({ part, index: `${name}${part.replace(/^.*(_p[0-9]+)$/, '$1')}` }));
  return [
    // The index of the whole table cannot be dropped concurrently. It has no rows of its own.
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
  // The position of its status among those that the order reached. 0 if an older release wrote the row.
  'alter table notification add column if not exists seq integer not null default 0',
  // True if it is resent after it was delivered or exhausted. Later statuses then do not wait for it.
  'alter table notification add column if not exists is_repeat boolean not null default false',
  'alter table notification drop constraint if exists notification_held_by_check',
  "alter table notification add constraint notification_held_by_check check (held_by in ('host', 'pause', 'order')) not valid",
  'alter table notification validate constraint notification_held_by_check',
];
