import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testKeys } from '../../packages/domain/src/testing/keys.ts';
import type { Secrets } from '../../tools/sandbox/src/data-dir.ts';
import type { SandboxEnvironment } from '../../tools/sandbox/src/sandbox-environment.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';

/** The start of a test's sandbox or fleet: a database with the demo merchants, and their keys and secrets. */
export interface Seed {
  readonly databaseUrl: string;
  /** The content of demo-keys.json. */
  readonly demoKeys: string;
  readonly secrets: Secrets;
}

export interface SeededDatabases {
  /** The keys and secrets that every seed has. */
  keys(): Promise<Omit<Seed, 'databaseUrl'>>;
  /** A database of the caller's own, whose merchants are notified at this receiver. */
  copy(receiverUrl: string): Promise<Seed>;
}

const SECRETS: Secrets = {
  keys: testKeys,
  upstream: 'upstream'.repeat(4),
  redis: 'only-a-test'.repeat(2),
};
const NOWHERE = 'http://127.0.0.1:1';

/**
 * Puts the demo merchants into a database once per run and copies it from then on: twelve RSA keys are made once, and not for every
 * sandbox. `newDatabase` gives a migrated, empty one.
 */
export function seededDatabases(newDatabase: () => Promise<string>): SeededDatabases {
  let template: Promise<Seed> | undefined;
  let copies = 0;
  const seed = () => {
    template ??= makeTemplate(newDatabase);
    return template;
  };
  return {
    keys: async () => {
      const { demoKeys, secrets } = await seed();
      return { demoKeys, secrets };
    },
    copy: async (receiverUrl) => {
      const { databaseUrl: from, ...keys } = await seed();
      copies += 1;
      const url = new URL(from);
      const source = url.pathname.slice(1);
      const name = `seeded_${copies}`;
      await copyDatabase(from, source, name);
      url.pathname = `/${name}`;
      await queryDatabase(
        url.href,
        `update merchant set default_notify_url = $1 || merchant_id where default_notify_url is not null`,
        [`${receiverUrl}/notify/`],
      );
      return { databaseUrl: url.href, ...keys };
    },
  };
}

async function copyDatabase(serverUrl: string, source: string, name: string): Promise<void> {
  const maintenance = new URL(serverUrl);
  maintenance.pathname = '/postgres';
  // PostgreSQL cannot copy a database while a session is still disconnecting from it.
  const isCopied = async (): Promise<boolean> => {
    try {
      await queryDatabase(maintenance.href, `create database ${name} template ${source}`);
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === '55006') return false;
      throw error;
    }
  };
  await waitUntil(`a copy of ${source}`, isCopied, { timeoutMs: 20_000 });
}

async function makeTemplate(newDatabase: () => Promise<string>): Promise<Seed> {
  const { prepareDatabase } = await import('../../tools/sandbox/src/seed.ts');
  const databaseUrl = await newDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'tidegate-seed-'));
  const environment: SandboxEnvironment = {
    databaseUrl,
    dataDir,
    redisUrls: { rest: '', api: '', worker: '', admin: '' },
    keys: SECRETS.keys,
    upstreamSecret: SECRETS.upstream,
    channels: [],
    fresh: false,
    scheduleScale: 1,
    ports: { rest: 1, api: 1, worker: 1, upstream: 1, receiver: 1 },
    urls: { rest: NOWHERE, api: NOWHERE, worker: NOWHERE, upstream: NOWHERE, receiver: NOWHERE },
  };
  try {
    await prepareDatabase(environment);
    return { databaseUrl, demoKeys: readFileSync(join(dataDir, 'demo-keys.json'), 'utf8'), secrets: SECRETS };
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** Writes the keys and secrets where a sandbox looks for those of its earlier starts. */
export function writeKeys(dataDir: string, { demoKeys, secrets }: Omit<Seed, 'databaseUrl'>): void {
  writeFileSync(join(dataDir, 'demo-keys.json'), demoKeys, { mode: 0o600 });
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 });
}
