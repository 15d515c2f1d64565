import type { Domain } from '@tidegate/domain';
import { openTestDomain } from '@tidegate/domain/testing';
import { openAnnouncer } from '@tidegate/queue';
import { createTestRedis } from '@tidegate/sandbox/testing';
import { vi } from 'vitest';
import { openLive, type RunningLive } from '../src/live/open-live.ts';
import type { ServerOptions } from '../src/server.ts';
import { type ApiFixture, openApiFixture } from './api-fixture.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** APIs on one database and one Redis, and another process that commits there. */
export interface LiveFixture extends ApiFixture {
  redisUrl: string;
  /** The domain of another process than these APIs. */
  elsewhere: Domain;
  /** An API with its own domain, once it receives the changes of others. */
  serveLive(options?: Partial<ServerOptions>): Promise<{ url: string; live: RunningLive }>;
}

/** `redisUrl`: the test's own Redis. */
export async function openLiveFixture(redisUrl?: string): Promise<LiveFixture> {
  const api = await openApiFixture();
  const url = redisUrl ?? (await createTestRedis()).url;
  const announcer = openAnnouncer({ redisUrl: url, log: silent });
  const elsewhere = await openTestDomain(api.databaseUrl, { announce: announcer.announce });
  const closing: (() => Promise<void>)[] = [() => elsewhere.close(), () => announcer.close()];
  return {
    ...api,
    redisUrl: url,
    elsewhere: elsewhere.domain,
    serveLive: async (options = {}) => {
      const { domain, close } = await openTestDomain(api.databaseUrl);
      const live = openLive({ domain, redisUrl: url, log: silent });
      closing.unshift(async () => {
        await live.close();
        await close();
      });
      const served = await api.serve({ domain, live, ...options });
      await vi.waitFor(() => live.isListening() || Promise.reject(new Error('it hears nothing')), { timeout: 10_000 });
      return { url: served, live };
    },
    close: async () => {
      for (const close of closing) await close();
      await api.close();
    },
  };
}
