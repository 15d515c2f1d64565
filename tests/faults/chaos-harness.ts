import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { audit } from '../../packages/domain/src/entries/admin.ts';
import { type Domain, isConnectionLoss, openDomain } from '../../packages/domain/src/index.ts';
import { testKeys } from '../../packages/domain/src/testing/keys.ts';
import { startPostgres } from '../../tools/sandbox/src/postgres.ts';
import type { EndingStep } from '../../tools/sandbox/src/process-identity.ts';
import { sendToRedis, startRedis } from '../../tools/sandbox/src/redis.ts';
import { makeRunFolder } from '../../tools/sandbox/src/run-folder.ts';
import { type PortsAlone, type RunningSandbox, startSandbox } from '../running-sandbox.ts';
import { type FaultProxy, proxyTo } from './fault-proxy.ts';

/** A sandbox that reaches PostgreSQL, Redis and its upstream through proxies, with servers that can be stopped. */
export interface ChaosHarness {
  readonly sandbox: RunningSandbox;
  readonly postgres: { readonly proxy: FaultProxy; readonly server: Restartable };
  readonly redis: { readonly proxy: FaultProxy; readonly server: Restartable; flush(): Promise<void> };
  readonly upstream: { readonly proxy: FaultProxy };
  /** When the upstream was unavailable, in Unix milliseconds: an order from then may have ended unpaid (decisions 5.3). */
  readonly outages: { from: number; to: number }[];
  /**
   * When a process was frozen, in Unix milliseconds. A payin whose create it sent may have ended unpaid: its channel's
   * answer was not read within 8 s (decisions 5.3).
   */
  readonly freezes: { from: number; to: number }[];
  /** When the supervisor saw which process die. */
  readonly kills: { target: string; at: number }[];
  /** Queries the database directly. While a fault makes it unreachable, it tries for half a minute. */
  ask<T>(question: (domain: Domain) => Promise<T>): Promise<T>;
  /** The ledger's violations, a line each. */
  audit(): Promise<string[]>;
  /** Ends every fault that is not over, and then everything. */
  stop(): Promise<void>;
}

export interface Restartable {
  /** Ends it with this signal; resolves when it has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** At the same address again; Redis empty, PostgreSQL with its data. */
  startAgain(): Promise<void>;
}

const DATABASE_BACK_WITHIN_MS = 30_000;
const ASK_AGAIN_MS = 250;

/** Every wait of polling, retrying and expiry is shortened to this part of it. */
const SCALE = 0.05;

/** Outside a test run `services` says where ports come from. */
export async function openChaosHarness(services?: PortsAlone): Promise<ChaosHarness> {
  const folder = await makeRunFolder('memory');
  const undo: (() => Promise<unknown>)[] = [() => folder.remove()];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const place = { dir: join(folder.dir, 'postgres'), logFile: join(folder.dir, 'postgres.log') };
    const postgres = await restartable((port) =>
      startPostgres({ ...place, ...port, onSpawn: (identity) => folder.record.add('postgres', identity) }),
    );
    undo.push(() => postgres.server.end('SIGINT'));
    const redis = await restartable((port) =>
      startRedis({
        dir: join(folder.dir, 'redis'),
        logFile: join(folder.dir, 'redis.log'),
        password: 'only-a-test',
        ...port,
        settings: { appendonly: 'no' },
        onSpawn: (identity) => folder.record.add('redis', identity),
      }),
    );
    undo.push(() => redis.server.end('SIGTERM'));
    const databaseUrl = await postgres.first.createDatabase('tidegate');
    const proxies = { postgres: await proxyTo(databaseUrl), redis: await proxyTo(redis.first.url) };
    undo.push(() => Promise.all([proxies.postgres.close(), proxies.redis.close()]));
    const stores = { databaseUrl: proxies.postgres.url, redisUrl: proxies.redis.url };
    const sandbox = await startSandbox({ scale: SCALE, ...stores }, services);
    undo.push(() => sandbox.stop());
    const upstream = await proxyTo(sandbox.file.upstreamUrl);
    undo.push(() => upstream.close());
    undo.push(async () => {
      for (const proxy of [proxies.postgres, proxies.redis, upstream]) proxy.repair();
      process.kill(sandbox.pidOf('upstream'), 'SIGCONT');
    });
    const domain = await openOnDatabase(databaseUrl);
    undo.push(() => domain.close());
    const ask = <T>(question: (domain: Domain) => Promise<T>): Promise<T> => askPatiently(domain, question);
    const moved = `update channel set base_url = $1, changed_at = clock_timestamp() where channel_id = 'sandbox'`;
    await ask(({ database }) => database.pool.query(moved, [upstream.url]));
    return {
      sandbox,
      postgres: { proxy: proxies.postgres, server: postgres.server },
      redis: { proxy: proxies.redis, server: redis.server, flush: () => flush(redis.first.url) },
      upstream: { proxy: upstream },
      ask,
      outages: [],
      freezes: [],
      kills: [],
      audit: async () => (await ask(audit)).violations.map((found) => Object.values(found).join(': ')),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Asks again while the database is unavailable, for half a minute. */
export async function askPatiently<T>(domain: Domain, question: (domain: Domain) => Promise<T>): Promise<T> {
  const deadline = Date.now() + DATABASE_BACK_WITHIN_MS;
  for (;;) {
    try {
      return await question(domain);
    } catch (error) {
      if (!isConnectionLoss(error) || Date.now() > deadline) throw error;
      await delay(ASK_AGAIN_MS);
    }
  }
}

interface Server {
  readonly port: number;
  end(steps: readonly EndingStep[]): Promise<void>;
}

/** Starts a server, and can end it and start it again at the same port. */
async function restartable<T extends Server>(
  start: (place: { port?: number }) => Promise<T>,
): Promise<{ first: T; server: Restartable }> {
  const first = await start({});
  const { port } = first;
  let running: T = first;
  const server = {
    end: (signal: NodeJS.Signals) =>
      running.end([
        { signal, waitMs: 20_000 },
        { signal: 'SIGKILL', waitMs: 5_000 },
      ]),
    startAgain: async () => {
      running = await start({ port });
    },
  };
  return { first, server };
}

async function flush(redisUrl: string): Promise<void> {
  const replies = await sendToRedis(redisUrl, ['FLUSHALL']);
  if (replies.split('+OK').length < 4) throw new Error(`Redis was not emptied: ${replies}`);
}

/** Opens the domain to read what is there. */
export async function openOnDatabase(databaseUrl: string): Promise<Domain> {
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error };
  const options = { databaseUrl, keys: testKeys, publicBaseUrl: '', adapters: {}, log: quiet };
  return openDomain({ ...options, wakeUp: () => undefined });
}
