import type pg from 'pg';
import { begin } from '../database/begin.ts';
import { type PlanNode, type Reach, reachOfPlan, widest } from './merchant-reach.ts';

/** The statements that were sent on the connections of one database. */
export interface WatchedStatements {
  /** Statements by the name if prepared, else by the text. */
  readonly seen: ReadonlyMap<string, string>;
  stop(): void;
}

/** Records each statement that this process sends to the pool's database, until `stop`: what reaches the driver. */
export async function watchStatements(pool: pg.Pool): Promise<WatchedStatements> {
  const seen = new Map<string, string>();
  const client = await pool.connect();
  const { database } = client as unknown as pg.Client;
  const prototype: { query: (...args: unknown[]) => unknown } = Object.getPrototypeOf(client);
  client.release();
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...args) {
    const { name, text } = statementOf(args[0]);
    if (this.database === database) seen.set(name ?? text, text);
    return query.apply(this, args);
  };
  return {
    seen,
    stop: () => {
      prototype.query = query;
    },
  };
}

/** The driver takes a text, or an object with one: a query, or a cursor. */
function statementOf(sent: unknown): { name?: string; text: string } {
  if (typeof sent === 'string') return { text: sent };
  if (sent !== null && typeof sent === 'object' && 'text' in sent && typeof sent.text === 'string')
    return 'name' in sent && typeof sent.name === 'string' ? { name: sent.name, text: sent.text } : { text: sent.text };
  throw new Error('a statement without a text');
}

/** The tables that belong to merchants, and would be distributed by them. */
export async function tablesOfMerchants(pool: pg.Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id' and not a.attisdropped
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * The tables of `tables` that a statement reads or writes, each with the reach there; empty if there is none. A text may
 * have several statements. PostgreSQL plans them for any values, with the settings of the ledger writer.
 */
export async function tablesReadByStatement(
  pool: pg.Pool,
  text: string,
  tables: ReadonlySet<string>,
): Promise<Map<string, Reach>> {
  const found = new Map<string, Reach>();
  const client = await pool.connect();
  try {
    await client.query(begin);
    for (const part of text.split(';').filter((one) => one.trim() !== '' && !isCommand(one))) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (generic_plan, verbose, costs off, format json) ${part}`,
      );
      for (const row of rows)
        for (const [table, reach] of reachOfPlan(row['QUERY PLAN'][0].Plan, tables))
          found.set(table, widest([found.get(table) ?? 'one', reach]));
    }
    return found;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Whether it reads and writes no rows: the beginning and end of a transaction, and its settings. */
function isCommand(text: string): boolean {
  return /^\s*(begin|start transaction|commit|rollback|savepoint|release|set|show|listen|unlisten|discard)\b/i.test(
    text,
  );
}
