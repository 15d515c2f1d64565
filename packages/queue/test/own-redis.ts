import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningRedis, startRedis } from '../../../tools/sandbox/src/redis.ts';

/** A Redis that a test may stop, freeze and start again, without persistence, so that it comes back empty. */
export interface OwnRedis {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
  startAgain(): Promise<void>;
  remove(): Promise<void>;
}

export async function startOwnRedis(): Promise<OwnRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-redis-'));
  const password = 'only-a-test';
  const start = (port?: number): Promise<RunningRedis> =>
    startRedis({
      dir: join(folder, 'data'),
      logFile: join(folder, 'log'),
      password,
      settings: { appendonly: 'no' },
      ...(port !== undefined && { port }),
    });
  let running = await start();
  const { url, port } = running;
  return {
    url,
    get pid() {
      return running.identity.pid;
    },
    stop: () => running.stop(),
    startAgain: async () => {
      running = await start(port);
    },
    remove: async () => {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
