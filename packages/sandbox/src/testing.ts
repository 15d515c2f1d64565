import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL at which tests request their databases, see tests/global-setup.ts. */
    testDatabasesUrl: string;
  }
}

/** A database, or a Redis, for one test or test file. */
export interface TestStore {
  readonly url: string;
  /** Removes it before the end of the run, when all are removed. Open connections are closed. */
  drop(): Promise<void>;
}

/**
 * Makes a migrated, empty PostgreSQL database for one caller. The first call starts the run's PostgreSQL. Every
 * database is a copy of one template (about 50 ms).
 */
export function createTestDatabase(): Promise<TestStore> {
  return ask('database');
}

/** An empty Redis database for one caller: a database number in the run's Redis. */
export function createTestRedis(): Promise<TestStore> {
  return ask('redis');
}

/**
 * For the environment of programs that tests start: Node caches compiled code there, so that only the first start
 * compiles. Set by scripts/test.mjs.
 */
export const compileCache: Record<string, string> =
  process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

async function ask(what: 'database' | 'redis'): Promise<TestStore> {
  const url = new URL(`/${what}`, inject('testDatabasesUrl'));
  // Projects of tests on partitioned tables set it, see vitest.config.ts.
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
