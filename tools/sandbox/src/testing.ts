import { inject } from 'vitest';
import { connectBySocket } from './connect-by-socket.ts';

export { refusedByRedis } from './redis.ts';
export { scriptOf } from './service-scripts.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL at which tests request databases (tests/global-setup.ts). */
    testDatabasesUrl: string;
  }
}

/** A PostgreSQL or Redis database for one test or test file. */
export interface TestStore {
  readonly url: string;
  /** Closes its connections and removes it. The end of the run removes all anyway. */
  drop(): Promise<void>;
}

/** Path of the socket of the run's PostgreSQL; empty if it has none. */
let socket: Promise<string> | undefined;

/**
 * Makes an empty, migrated PostgreSQL database. The first call starts the run's PostgreSQL. The others only copy a
 * template, which takes about 50 ms.
 */
export async function createTestDatabase(): Promise<TestStore> {
  const database = await ask('database');
  socket ??= call('GET', new URL('/socket', inject('testDatabasesUrl')));
  if ((await socket) !== '') connectBySocket(Number(new URL(database.url).port), await socket);
  return database;
}

/** Makes an empty Redis database: a database number of the run's Redis. */
export function createTestRedis(): Promise<TestStore> {
  return ask('redis');
}

/**
 * Environment for programs that tests start. Node caches compiled code, so that only the first start compiles. Set by
 * scripts/test.mjs.
 */
export const compileCache: Record<string, string> =
  process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

async function ask(what: 'database' | 'redis'): Promise<TestStore> {
  const url = new URL(`/${what}`, inject('testDatabasesUrl'));
  // Set by test projects that run on partitioned tables (vitest.config.ts).
  const partitions = process.env.TIDEGATE_TEST_PARTITIONS;
  if (what === 'database' && partitions) url.searchParams.set('partitions', partitions);
  const created = await call('POST', url);
  return {
    url: created,
    drop: async () => {
      const place = new URL(`/${what}`, inject('testDatabasesUrl'));
      place.searchParams.set('url', created);
      await call('DELETE', place);
    },
  };
}

async function call(method: string, url: URL): Promise<string> {
  const response = await fetch(url, { method });
  const text = await response.text();
  if (!response.ok) throw new Error(`the test run's databases: ${text}`);
  return text;
}
