import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Domain } from '@tidegate/domain';
import { migrateDatabase } from '@tidegate/domain/admin';
import { makeRunFolder, startPostgres } from '@tidegate/sandbox';
import { durable, openBenchDomain } from './bench-environment.ts';

/** A database of a PostgreSQL of its own. */
export interface OwnDatabase {
  databaseUrl: string;
  /** The process of PostgreSQL, whose children serve the connections. */
  pid: number;
}

/** Starts a durable PostgreSQL with one migrated database for `work`. Stops it and removes it at the end. */
export async function withPostgres(work: (own: OwnDatabase) => Promise<void>): Promise<void> {
  const folder = await makeRunFolder();
  try {
    const postgres = await startPostgres({
      dir: join(folder.dir, 'postgres'),
      logFile: join(folder.dir, 'postgres.log'),
      settings: durable,
      onSpawn: (identity) => folder.record.add('postgres', identity),
    });
    try {
      const databaseUrl = await postgres.createDatabase('bench');
      await migrateDatabase(databaseUrl);
      await work({ databaseUrl, pid: postgres.identity.pid });
    } finally {
      await postgres.stop();
    }
  } finally {
    await folder.remove();
  }
}

/** The domain in this process, as long as `work` takes. */
export async function withDomain(databaseUrl: string, work: (domain: Domain) => Promise<void>): Promise<void> {
  const domain = await openBenchDomain(databaseUrl);
  try {
    await work(domain);
  } finally {
    await domain.close();
  }
}

/**
 * A small heap. With the default size Node delays garbage collection, and the peak would not show what the work needs.
 */
const smallHeap = ['--max-old-space-size=64', '--max-semi-space-size=2'];

/**
 * Runs a script in a process with a small heap, and takes over its exit code. To fill a database takes more memory than
 * the measured work, so another process measures.
 */
export async function measureApart(script: string, options: Readonly<Record<string, string>>): Promise<void> {
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const measuring = spawn(process.execPath, [...smallHeap, script, ...args], { stdio: 'inherit' });
  const [code] = await once(measuring, 'exit');
  process.exitCode = Number(code ?? 1);
}
