import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log, Observer } from '../core/log.ts';
import { limitAnswers } from './answer-limit.ts';
import { countConnections } from './connection-counts.ts';
import { isConnectionLoss, surviveLoss } from './connection-loss.ts';
import { addressOf } from './connection-options.ts';
import { inBatches } from './in-batches.ts';
import type { ResultCheck } from './json-columns.ts';
import { type Reading, readPrimary } from './reading.ts';
import { onConnection } from './transaction.ts';

export interface ReplicaOptions {
  /**
   * A streaming replica of the pool's database. It must be one server, or a balancer that keeps a connection on its
   * server.
   */
  url: string;
  connections: number;
  timeoutMs: number;
  log: Log;
  observed?: Observer['read'];
}

/** How long a read waits until the replica has caught up with the primary, in milliseconds. */
const maxLagWaitMs = 50;
const lookAgainAfter = 2;
/** How long the primary is read before the replica is tried again, in milliseconds. */
const restAfter = { behind: 250, away: 1_000 } as const;
const connectWithin = 300;

/** A position of the primary: its flushed log, its timeline and its cluster. All committed data is below it. */
interface Position {
  lsn: string;
  timeline: number;
  cluster: string;
}

/**
 * Reads from a replica all that was committed before the read began, by any process. Reads from the primary if the
 * replica is too far behind, is unavailable, or may not belong to this primary. Each read asks the primary for its position;
 * concurrent reads ask once. The replica's connection must have replayed up to that position.
 */
export function readReplica(pool: pg.Pool, options: ReplicaOptions, check?: ResultCheck): Reading {
  const { log, observed } = options;
  const primary = readPrimary(pool);
  const replica = openReplicaPool(pool, options, check);
  const positionNow = openPosition(pool);
  // The first read does not wait to find out whether there is a replica.
  let rest: { from: keyof typeof restAfter; until: number } | null = { from: 'away', until: 0 };
  let isTrying = false;
  let logged: 'there' | 'away' | null = null;

  const leave = (from: keyof typeof restAfter, error: unknown): null => {
    rest = { from, until: performance.now() + restAfter[from] };
    if (from === 'away' && logged !== 'away') {
      logged = 'away';
      log.warn({ err: error }, 'the read replica is unavailable: the primary is read');
    }
    return null;
  };
  const tryAgain = async (): Promise<void> => {
    const position = await positionNow(null);
    if (!(await onConnection(replica, (client) => hasReplayed(client, position, 0)))) return void leave('behind', null);
    rest = null;
    if (logged !== 'there') log.info({}, 'the read replica is read');
    logged = 'there';
  };
  const rests = (): boolean => {
    if (rest === null) return false;
    if (!isTrying && performance.now() >= rest.until) {
      isTrying = true;
      void tryAgain()
        .catch((error) => leave('away', error))
        .finally(() => {
          isTrying = false;
        });
    }
    return true;
  };
  /** Runs `work` on the replica; null if the primary has to be read instead. */
  const onReplica = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<{ found: T } | null> => {
    if (rests()) return null;
    try {
      const position = await positionNow(null);
      return await onConnection(replica, async (client) => {
        // Reads that wait for a connection need not find out again.
        if (rests()) return null;
        if (await hasReplayed(client, position, maxLagWaitMs)) return { found: await work(client) };
        return leave('behind', null);
      });
    } catch (error) {
      if (isConflict(error)) return null;
      if (isConnectionLoss(error)) return leave('away', error);
      throw error;
    }
  };
  const read = async <T>(work: (client: pg.PoolClient) => Promise<T>, otherwise: () => Promise<T>): Promise<T> => {
    const answer = await onReplica(work);
    observed?.(answer === null ? (rest?.from ?? 'behind') : 'replica');
    return answer === null ? otherwise() : answer.found;
  };
  return {
    query: <Row extends pg.QueryResultRow>(statement: string | pg.QueryConfig, values?: unknown[]) =>
      read<pg.QueryResult<Row>>(
        (client) => client.query(statement, values),
        () => primary.query(statement, values),
      ),
    onConnection: (work) => read(work, () => primary.onConnection(work)),
    connections: () => [countConnections('replica', replica)],
    close: () => replica.end(),
  };
}

/**
 * Like the primary's pool, so that values are parsed alike. But it waits less, because the primary is still to be
 * asked.
 */
function openReplicaPool(
  pool: pg.Pool,
  { url, connections, timeoutMs }: ReplicaOptions,
  check: ResultCheck | undefined,
): pg.Pool {
  const replica = new pg.Pool({
    ...pool.options,
    ...addressOf(url),
    max: connections,
    connectionTimeoutMillis: connectWithin,
  });
  limitAnswers(replica, timeoutMs / 2, check);
  surviveLoss(replica);
  return replica;
}

/** Concurrent calls ask the primary once, always after all of them have begun. */
function openPosition(pool: pg.Pool): (_: null) => Promise<Position> {
  return inBatches({
    size: 10_000,
    concurrency: 2,
    run: async (askers: null[]) => {
      const { rows } = await pool.query<Position>({ name: 'primary-position', text: positionSql });
      const [position] = rows;
      if (!position) throw new Error('the primary does not say where it is');
      return askers.map(() => position);
    },
  });
}

const positionSql = `select lsn::text as lsn, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::integer as timeline,
    (select system_identifier::text from pg_control_system()) as cluster
  from pg_current_wal_flush_lsn() as lsn`;

// A promoted replica, or one that follows another primary, has another timeline. A replica of another cluster has other
// positions.
const replayedSql = `select coalesce(pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn
    and (select timeline_id from pg_control_checkpoint()) = $2::integer
    and (select system_identifier::text from pg_control_system()) = $3, false) as replayed`;

/** Whether the server of this connection reaches the position within this number of milliseconds. */
async function hasReplayed(client: pg.PoolClient, position: Position, withinMs: number): Promise<boolean> {
  const values = [position.lsn, position.timeline, position.cluster];
  const until = performance.now() + withinMs;
  for (;;) {
    const { rows } = await client.query<{ replayed: boolean }>({ name: 'has-replayed', text: replayedSql, values });
    if (rows[0]?.replayed) return true;
    if (performance.now() >= until) return false;
    await sleep(lookAgainAfter);
  }
}

/** The server cancels a read that blocks its replay: SQLSTATE 40001. */
function isConflict(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '40001';
}
