import type pg from 'pg';
import { openDatabase } from './database.ts';
import { purgeRuleOf } from './purge-old-rows.ts';
import { requireSchema } from './require-schema.ts';

/**
 * The kinds of rows that can be restored. Data that adapters stored is not among them, because an order of that time no
 * longer needs it.
 */
export const restorableKinds = ['notification', 'notification_attempt', 'channel_call'] as const;
export type RestorableKind = (typeof restorableKinds)[number];

export interface Period {
  from: Date;
  /** The first moment after the period. */
  to: Date;
  /** For how many days the rows are not purged again. */
  keepDays: number;
}

/** Batches of archived rows of a kind, each row as the text of a JSON object with the columns of that time. */
export type ArchivedRows = (kind: RestorableKind) => AsyncIterable<readonly string[]>;

/**
 * Inserts the archived rows of a period that are not there. Before the first one, it records the period, so that no
 * worker purges them again before `keepDays` are over. It can be repeated. Columns that no longer exist are left out, and new
 * columns get their defaults. Needs the tables' owner. Resolves to the number of inserted rows of each kind.
 */
export async function restorePeriod(
  databaseUrl: string,
  { from, to, keepDays }: Period,
  archived: ArchivedRows,
): Promise<Record<RestorableKind, number>> {
  const database = await openDatabase(databaseUrl, { connections: 1 });
  try {
    await requireSchema(database);
    const { pool } = database;
    await pool.query(holdSql, [from, to, keepDays]);
    const restored = { notification: 0, notification_attempt: 0, channel_call: 0 };
    for (const kind of restorableKinds) {
      const columns = await columnsOf(pool, kind);
      for await (const rows of archived(kind))
        for (const [shape, alike] of byShape(rows, columns))
          restored[kind] += await insertRows(pool, { kind, columns: shape, rows: alike, from, to });
    }
    return restored;
  } finally {
    await database.close();
  }
}

const holdSql = `with gone as (delete from restored_period where keep_until < clock_timestamp())
  insert into restored_period (period_from, period_to, keep_until) values ($1, $2, clock_timestamp() + $3 * interval '1 day')
  on conflict (period_from, period_to) do update set keep_until = greatest(restored_period.keep_until, excluded.keep_until)`;

async function columnsOf(pool: pg.Pool, kind: RestorableKind): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [kind],
  );
  return rows.map(({ name }) => name);
}

/** Groups rows by the columns that they have: one archive may have rows of several releases. */
function byShape(rows: readonly string[], columns: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const row of rows) {
    const fields = JSON.parse(row) as object;
    const shape = columns.filter((column) => Object.hasOwn(fields, column)).join(', ');
    const alike = found.get(shape);
    if (alike) alike.push(row);
    else found.set(shape, [row]);
  }
  return found;
}

async function insertRows(
  pool: pg.Pool,
  batch: { kind: RestorableKind; columns: string; rows: readonly string[]; from: Date; to: Date },
): Promise<number> {
  const { kind, columns, rows, from, to } = batch;
  const { ageColumn, purgeableWhen } = purgeRuleOf(kind);
  // What would not have been purged was not archived by us. A pending notification would be sent.
  const wanted = `t.${ageColumn} >= $2 and t.${ageColumn} < $3 and ${purgeableWhen}`;
  // PostgreSQL reads the numbers of the rows itself, so amounts stay exact.
  const { rowCount } = await pool.query(
    `insert into ${kind} (${columns}) select ${columns} from jsonb_populate_recordset(null::${kind}, $1::jsonb) t
     where ${wanted} on conflict do nothing`,
    [`[${rows.join(',')}]`, from, to],
  );
  return rowCount ?? 0;
}
