import { type EntityManager, type MikroORM, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { millis } from './columns.ts';

type Statement = { sql: string; parameters: readonly unknown[] };

/**
 * An entity manager whose statements all go to `client`, within its open transaction. A flush writes but commits
 * nothing. The code that opened the transaction ends it.
 */
export function openUnitOfWork(orm: MikroORM, client: Pick<pg.PoolClient, 'query'>): EntityManager {
  const em = orm.em.fork({ freshEventManager: true });
  const connection = {
    executeQuery: async <Row>({ sql, parameters }: Statement) => {
      const { rows, rowCount } = await client.query(sql, [...parameters]);
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
    },
    streamQuery: () => {
      throw new Error('a unit of work streams nothing');
    },
  };
  const executor = em
    .getConnection()
    .getClient()
    .getExecutor()
    .withConnectionProvider({ provideConnection: (consumer) => consumer(connection) });
  // The transaction that MikroORM expects. It would begin one on another connection otherwise.
  em.setTransactionContext({ executeQuery: executor.executeQuery.bind(executor), getExecutor: () => executor });
  return em;
}

/** Whether a flush failed because the row exists already, by the violated constraint. */
export function isTaken(error: unknown, constraint: string): boolean {
  return (
    error instanceof UniqueConstraintViolationException && 'constraint' in error && error.constraint === constraint
  );
}

/** The database's clock. It alone decides what has begun or ended. */
export async function databaseNow(em: EntityManager): Promise<Date> {
  const [row] = await em.execute<[{ now: number }]>(`select ${millis('clock_timestamp()')} as now`);
  return new Date(row.now);
}
