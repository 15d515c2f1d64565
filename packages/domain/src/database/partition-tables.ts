import type pg from 'pg';
import { openDatabase } from './database.ts';
import { takeMigrationLock } from './migrate-database.ts';
import { grantToRoles } from './role-grants.ts';
import { readDefinition, type TableDefinition } from './table-definition.ts';
import { inTransaction } from './transaction.ts';

/**
 * The tables that grow: orders, the ledger, and what belongs to them. Wallets, cases and the configuration stay as they
 * are.
 */
export const partitionedTables = [
  'orders',
  'order_transition',
  'payment',
  'notification',
  'notification_attempt',
  'channel_call',
  'wallet_entry',
  'transfer',
  'ledger_batch',
] as const;

export interface PartitionOptions {
  /** How long to wait for a table that is in use, in milliseconds; default 10,000. */
  lockMs?: number;
  /** Receives a line for each table that had rows to copy. */
  report?: (line: string) => void;
}

const DAY_MS = 24 * 3_600_000;
const worthAnalyzing = 10_000;

/**
 * Splits the growing tables of a migrated database into `count` partitions by a hash of their merchant. Each table is
 * copied in one transaction, which locks it meanwhile. Stop the service before, although nothing would be lost. After
 * an interruption the next run continues with the first table that is not done. Throws if a table already has another
 * number of partitions.
 */
export async function partitionTables(url: string, count: number, options: PartitionOptions = {}): Promise<string[]> {
  const { lockMs = 10_000, report = () => undefined } = options;
  if (!Number.isInteger(count) || count < 2 || count > 256) throw new RangeError(`${count} is not from 2 to 256`);
  const database = await openDatabase(url, { connections: 2, migrating: { lockMs, statementMs: DAY_MS } });
  const turn = await database.pool.connect();
  try {
    await takeMigrationLock(turn, DAY_MS, report);
    const done: string[] = [];
    for (const table of partitionedTables) {
      const there = await countPartitions(database.pool, table);
      if (there === count) continue;
      if (there !== null) throw new Error(`${table} has ${there} partitions already, and keeps them`);
      const began = performance.now();
      const rows = await partition(database.pool, table, count);
      if (rows > 0)
        report(`${table}: ${rows} rows in ${count} partitions, ${Math.round(performance.now() - began)} ms`);
      done.push(table);
    }
    // Grants of columns are not copied with a table.
    await grantToRoles(database.pool);
    return done;
  } finally {
    turn.release(true);
    await database.close();
  }
}

/** Null for a table that has none. */
async function countPartitions(pool: pg.Pool, table: string): Promise<number | null> {
  const { rows } = await pool.query<{ count: number | null }>(
    `select case relkind when 'p' then (select count(*)::integer from pg_inherits where inhparent = c.oid) end as count
     from pg_class c where oid = $1::regclass`,
    [table],
  );
  return rows[0]?.count ?? null;
}

/** Returns the number of copied rows. */
async function partition(pool: pg.Pool, table: string, count: number): Promise<number> {
  const copied = await inTransaction(pool, async (client) => {
    await client.query(`lock table ${table} in access exclusive mode`).catch((error) => {
      throw new Error(`${table} is in use: stop the service, and do this again`, { cause: error });
    });
    const definition = await readDefinition(client, table);
    let rows = 0;
    for (const statement of statementsFor(table, count, definition)) {
      const { command, rowCount } = await client.query(statement);
      if (command === 'INSERT') rows = rowCount ?? 0;
    }
    await nameIndexes(client, table);
    return rows;
  });
  // Statistics of a nearly empty table would lead to plans for few rows. PostgreSQL makes its own statistics later.
  if (copied > worthAnalyzing) await pool.query(`analyze ${table}`);
  return copied;
}

/** `orders_due_p3` is the index `orders_due` of the partition `orders_p3`. Errors and plans show these names. */
async function nameIndexes(client: pg.ClientBase, table: string): Promise<void> {
  const { rows } = await client.query<{ rename: string }>(
    `select format('alter index %s rename to %I', h.inhrelid::regclass, whole.relname || substring(part.relname from '_p[0-9]+$')) as rename
     from pg_index i join pg_inherits h on h.inhparent = i.indexrelid join pg_class whole on whole.oid = i.indexrelid
     join pg_index of_part on of_part.indexrelid = h.inhrelid join pg_class part on part.oid = of_part.indrelid where i.indrelid = $1::regclass`,
    [table],
  );
  for (const { rename } of rows) await client.query(rename);
}

function statementsFor(table: string, count: number, definition: TableDefinition): string[] {
  const old = `${table}_whole`;
  const parts = Array.from({ length: count }, (_, i) => `${table}_p${i}`);
  const storage = definition.options.length > 0 ? ` with (${definition.options.join(', ')})` : '';
  return [
    ...definition.pointingHere.map(({ drop }) => drop),
    `alter table ${table} rename to ${old}`,
    `create table ${table} (like ${old} including defaults including generated including identity including storage) partition by hash (merchant_id)`,
    `alter table ${table} owner to ${definition.owner}`,
    ...parts.flatMap((part, i) => [
      `create table ${part} partition of ${table} for values with (modulus ${count}, remainder ${i})${storage}`,
      `alter table ${part} owner to ${definition.owner}`,
    ]),
    `insert into ${table} select * from ${old}`,
    // The names of constraints and indexes are free again. They are created after all rows are copied.
    `drop table ${old}`,
    ...definition.constraints,
    ...definition.indexes,
    ...definition.triggers,
    ...parts.flatMap((part) =>
      definition.statementTriggers.map((trigger) => trigger.replace(/ ON (\S+\.)?\w+ /, ` ON ${part} `)),
    ),
    ...definition.triggerStates,
    ...definition.grants,
    ...definition.pointingHere.map(({ add }) => add),
  ];
}
