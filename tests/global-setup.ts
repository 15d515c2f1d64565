import type { TestProject } from 'vitest/node';
import { serveTestDatabases } from '../packages/sandbox/src/test-databases.ts';
import '../packages/sandbox/src/testing.ts';

/** Gives every test of the run a way to ask for databases; returns what ends them. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const databases = await serveTestDatabases(async (url, partitions) => {
    const { migrateDatabase, partitionTables } = await import('../packages/domain/src/index.ts');
    await migrateDatabase(url);
    if (partitions > 0) await partitionTables(url, partitions);
  });
  project.provide('testDatabasesUrl', databases.url);
  return databases.stop;
}
