import { writeFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { serveTestDatabases } from '../tools/sandbox/src/test-databases.ts';
import { FIXED_STATEMENT, watchMachineSpeed } from './machine-speed.ts';
import '../tools/sandbox/src/testing.ts';
import { serveRun } from './run-services/serve.ts';

/**
 * Lets every test of the run ask for databases, and for what the system tests share. Measures how slow the machine is.
 * Returns the function that ends all of it.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const databases = await serveTestDatabases(async (url, partitions) => {
    const { migrateDatabase, partitionTables } = await import('../packages/domain/src/entries/admin.ts');
    await migrateDatabase(url);
    if (partitions > 0) await partitionTables(url, partitions);
  });
  const services = await serveRun(databases.url);
  project.provide('testDatabasesUrl', databases.url);
  project.provide('runServicesUrl', services.url);
  const speed = watchMachineSpeed(async () => {
    const rows = await databases.query<{ ms: string }>(FIXED_STATEMENT);
    return rows?.[0] === undefined ? null : Number(rows[0].ms);
  });
  return async () => {
    const file = process.env.TIDEGATE_TEST_SPEED_FILE;
    if (file !== undefined) writeFileSync(file, JSON.stringify(speed.stop()));
    else speed.stop();
    await services.stop();
    await databases.stop();
  };
}
