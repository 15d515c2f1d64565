import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { testKeysOf } from '@tidegate/domain/testing';
import { compileCache, createTestDatabase, createTestRedis, scriptOf } from '@tidegate/sandbox/testing';

const main = scriptOf('packages/api/src/main.ts');

/** The environment of an API in production mode, on its own database and Redis. */
export async function ownEnvironment(): Promise<Record<string, string>> {
  const [database, redis] = await Promise.all([createTestDatabase(), createTestRedis()]);
  return {
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    TIDEGATE_KEYS: testKeysOf('api'),
    TIDEGATE_ENV: 'production',
    LOG_LEVEL: 'info',
    PUBLIC_BASE_URL: 'http://127.0.0.1:8080',
    ...compileCache,
  };
}

export interface ApiProcess {
  child: ChildProcess & { stdout: NodeJS.ReadableStream & { destroy(): void } };
  ended: Promise<number | null>;
  errors: Promise<string>;
  /** What it has logged so far. */
  logged(): string;
}

/** Real API processes of one test file. */
export function apiProcesses() {
  const children: ChildProcess[] = [];
  return {
    start: (env: Record<string, string>, nodeOptions: string[] = []): ApiProcess => {
      const child = spawn(process.execPath, [...nodeOptions, main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      children.push(child);
      const ended = once(child, 'exit').then(([code]) => code as number | null);
      let logged = '';
      child.stdout.on('data', (chunk) => {
        logged += String(chunk);
      });
      return { child, ended, errors: text(child.stderr), logged: () => logged };
    },
    killAll: (): void => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** The address in the log line that announces it. */
export async function addressOf({ child, ended, errors, logged }: ApiProcess): Promise<string> {
  const messages = new Promise<string>((resolve) => {
    const look = (): void => {
      const address = /"address":"([^"]+)"/.exec(logged())?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout.on('data', look);
    look();
  });
  const tooEarly = ended.then(async (code) =>
    Promise.reject(new Error(`it ended with ${code}: ${logged()}${await errors}`)),
  );
  return Promise.race([messages, tooEarly]);
}
