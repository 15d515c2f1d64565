import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Domain } from '@tidegate/domain';
import { pauseNotifications } from '@tidegate/domain/admin';
import { aMerchant, aNotificationOf, openTestDomain, placePayin, testKeysOf } from '@tidegate/domain/testing';
import type { NotificationRef } from '@tidegate/domain/worker';
import { connectRedis, openWakeUps, type RedisConnection } from '@tidegate/queue';
import { compileCache, createTestDatabase, scriptOf } from '@tidegate/sandbox/testing';
import { vi } from 'vitest';
import { findFreePort } from '../../../tools/sandbox/src/ports.ts';
import { startOwnRedis } from '../../queue/test/own-redis.ts';

const main = scriptOf('packages/worker/src/main.ts');
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** An endpoint of a merchant. `seen` is the number of requests, `most` the highest number open at once. */
export interface Endpoint {
  url: string;
  seen: string[];
  most: number;
  close(): void;
}

/** Real workers, as processes, on their own database and Redis. Commits send wake-ups as in production. */
export interface NotificationFixture {
  domain: Domain;
  redis: RedisConnection;
  aMerchant(): Promise<string>;
  /** Notifications that become due at the same time. */
  burst(merchantId: string, url: string, count: number): Promise<NotificationRef[]>;
  serve(answer: RequestListener): Promise<Endpoint>;
  startWorker(args?: string[]): Promise<{ child: ChildProcess; url: string }>;
  /** The times from due to delivered, in ms by the database's clock, ascending. Waits until all are delivered. */
  latencies(refs: readonly NotificationRef[], timeout: number): Promise<number[]>;
  pause(merchantId: string, paused: boolean): Promise<boolean>;
  close(): Promise<void>;
}

export async function openNotificationFixture(options: { scale: number }): Promise<NotificationFixture> {
  const ownRedis = await startOwnRedis();
  const databaseUrl = (await createTestDatabase()).url;
  const wakeUps = openWakeUps({ redisUrl: ownRedis.url, log: silent });
  const { domain, close } = await openTestDomain(databaseUrl, { scheduleScale: options.scale, wakeUp: wakeUps.wakeUp });
  const redis = connectRedis(ownRedis.url, 'producer', silent);
  const children: ChildProcess[] = [];
  const endpoints: Endpoint[] = [];
  return {
    domain,
    redis,
    aMerchant: async () => (await aMerchant(domain, 'CN')).merchantId,
    burst: async (merchantId, notifyUrl, count) => {
      const placing = Array.from({ length: count }, () => placePayin(domain, merchantId, 'CN', { notifyUrl }));
      return Promise.all((await Promise.all(placing)).map((order) => aNotificationOf(domain, order)));
    },
    serve: async (answer) => {
      const endpoint = await serve(answer);
      endpoints.push(endpoint);
      return endpoint;
    },
    startWorker: async (args = ['--queues', 'notify,retry,dispatch']) => {
      const started = await startWorker(args, { databaseUrl, redisUrl: ownRedis.url, scale: options.scale });
      children.push(started.child);
      return started;
    },
    latencies: (refs, timeout) => latencies(domain, refs, timeout),
    pause: (merchantId, paused) => pauseNotifications(domain, merchantId, paused),
    close: async () => {
      await Promise.all(children.map(end));
      for (const endpoint of endpoints) endpoint.close();
      await wakeUps.close();
      redis.disconnect();
      await close();
      await ownRedis.remove();
    },
  };
}

async function serve(answer: RequestListener): Promise<Endpoint> {
  let open = 0;
  const server = createServer((request, response) => {
    let text = '';
    open += 1;
    endpoint.most = Math.max(endpoint.most, open);
    response.on('close', () => {
      open -= 1;
    });
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      endpoint.seen.push(JSON.parse(text).orderNo);
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`,
    seen: [],
    most: 0,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return endpoint;
}

async function startWorker(
  args: string[],
  at: { databaseUrl: string; redisUrl: string; scale: number },
): Promise<{ child: ChildProcess; url: string }> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    TIDEGATE_KEYS: testKeysOf('worker'),
    TIDEGATE_ENV: 'sandbox',
    LOG_LEVEL: 'warn',
    DATABASE_URL: at.databaseUrl,
    REDIS_URL: at.redisUrl,
    TIDEGATE_SCHEDULE_SCALE: String(at.scale),
    ...compileCache,
    PUBLIC_BASE_URL: 'http://pay.test',
    NOTIFY_ALLOW_CIDRS: '127.0.0.0/8',
    CHANNEL_ALLOW_CIDRS: '127.0.0.0/8',
  };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`the worker ended with ${child.exitCode}`);
      if ((await fetch(`${url}/readyz`)).status !== 200) throw new Error('the worker is not ready');
    },
    { timeout: 60_000, interval: 100 },
  );
  return { child, url };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function latencies(domain: Domain, refs: readonly NotificationRef[], timeout: number): Promise<number[]> {
  const ask = async () =>
    (
      await domain.database.pool.query<{ ms: number | null }>(
        `select (extract(epoch from delivered_at - created_at) * 1000)::float8 as ms
         from notification where order_no = any($1) order by 1`,
        [refs.map((ref) => ref.orderNo)],
      )
    ).rows.map((row) => row.ms);
  await vi.waitFor(
    async () => {
      const waiting = (await ask()).filter((ms) => ms === null).length;
      if (waiting > 0) throw new Error(`${waiting} of ${refs.length} are not delivered`);
    },
    { timeout, interval: 250 },
  );
  return (await ask()).map((ms) => ms ?? Number.NaN);
}
