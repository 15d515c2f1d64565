import { setTimeout as delay } from 'node:timers/promises';
import { connectFor, queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';

/** Writers that go to each server alone, and not through HAProxy, whatever its role is. */
export interface DirectWriters {
  /** Rows that this server has acknowledged since a moment of performance.now(). */
  acknowledgedBy(name: string, since?: number): number;
  /** When a server first acknowledged a row that was sent after this moment; undefined: not yet. */
  firstAfter(name: string, since: number): number | undefined;
  /** Ends the writers. */
  stop(): Promise<void>;
  /** The acknowledged rows that are not in the database now, and the number of all acknowledged ones. */
  lost(url: string): Promise<{ lost: string[]; acknowledged: number }>;
}

interface Place {
  readonly name: string;
  readonly url: string;
}

interface Acknowledged {
  readonly name: string;
  readonly n: number;
  readonly sentAt: number;
}

const DATABASE = 'witness';
const ANSWER_WITHIN_MS = 3_000;
const AGAIN_MS = 100;
/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006';
/** The rows that one writer sends at most. */
const MOST = 100_000;

const inDatabase = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

/** `url`: the primary, for the table that they write to. */
export async function startDirectWriters(url: string, places: readonly Place[]): Promise<DirectWriters> {
  await queryDatabase(inDatabase(url, 'postgres'), `create database ${DATABASE}`);
  await queryDatabase(inDatabase(url, DATABASE), 'create table written (name text, n integer, primary key (name, n))');
  const acknowledged: Acknowledged[] = [];
  const end = new AbortController();
  const writing = places.map((place) => keepWriting(place, acknowledged, end.signal));
  return {
    acknowledgedBy: (name, since = 0) => acknowledged.filter((row) => row.name === name && row.sentAt >= since).length,
    firstAfter: (name, since) => acknowledged.find((row) => row.name === name && row.sentAt >= since)?.sentAt,
    stop: async () => {
      end.abort();
      await Promise.all(writing);
    },
    lost: async (from) => {
      const counted = [...acknowledged];
      const rows = await queryDatabase<{ name: string; n: number }>(
        inDatabase(from, DATABASE),
        'select name, n from written',
      );
      const there = new Set(rows.map(({ name, n }) => `${name} ${n}`));
      const all = counted.map(({ name, n }) => `${name} ${n}`);
      return { lost: all.filter((row) => !there.has(row)), acknowledged: all.length };
    },
  };
}

async function keepWriting({ name, url }: Place, into: Acknowledged[], signal: AbortSignal): Promise<void> {
  let n = 0;
  const isOver = () => signal.aborted || n >= MOST;
  while (!isOver()) {
    const client = await connectFor(inDatabase(url, DATABASE), ANSWER_WITHIN_MS).catch(() => null);
    let isLost = client === null;
    while (client && !isLost && !isOver()) {
      n += 1;
      const sentAt = performance.now();
      try {
        await client.query('insert into written values ($1, $2)', [name, n]);
        into.push({ name, n, sentAt });
      } catch (error) {
        // A replica refuses. An ended or frozen server does not answer.
        isLost = (error as { code?: string }).code !== READ_ONLY;
      }
      await delay(AGAIN_MS);
    }
    // A frozen server does not answer the farewell.
    void client?.end().catch(() => undefined);
    await delay(AGAIN_MS);
  }
}
