import type { TestProject } from 'vitest/node';
import { serveTestDatabases } from '../packages/sandbox/src/test-databases.ts';
import '../packages/sandbox/src/testing.ts';

/** Gives every test of the run a way to ask for databases; returns what ends them. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const databases = await serveTestDatabases(async (url) => {
    const { migrateDatabase } = await import('../packages/domain/src/index.ts');
    await migrateDatabase(url);
  });
  project.provide('testDatabasesUrl', databases.url);
  return databases.stop;
}
