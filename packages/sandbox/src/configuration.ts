import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readRedisUrl } from '@tidegate/queue';

/** What the person who starts the sandbox asked for, by environment variables and arguments. */
export interface Configuration {
  readonly fresh: boolean;
  readonly dataDir: string;
  readonly ports: SandboxPorts;
  readonly environment: 'sandbox' | 'production';
  /** Factor on every wait of polling, retrying, breaker and expiry. */
  readonly scheduleScale: number;
  /** Unset: a private PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** Unset: a private Redis. */
  readonly redisUrl: string | undefined;
}

export interface SandboxPorts {
  readonly rest: number;
  readonly api: number;
  readonly worker: number;
  readonly upstream: number;
  readonly receiver: number;
}

/** Something that the person at the keyboard can put right: told without a stack. */
export class UsageError extends Error {}

export const HELP = `npm start [-- --fresh]

Starts everything that a local Tidegate needs and stays in the foreground; Ctrl-C ends it all.

  --fresh   begin with empty data (otherwise it goes on where the last one stopped)
  --help    this text

Environment
  DATABASE_URL             a PostgreSQL 18 of yours; unset: a private one is started
  REDIS_URL                a Redis of yours, or a Redis Cluster (several URLs with commas between them, or one with
                           ?cluster=true); unset: a private one is started
  TIDEGATE_DATA_DIR        where data, logs and sandbox.json are kept (default .data)
  TIDEGATE_PORT_BASE       first of the ports, base+0 to base+11 (default 8080)
  TIDEGATE_ENV             sandbox (default) or production
  TIDEGATE_SCHEDULE_SCALE  sandbox only: factor on every wait of polling, retrying, breaker, expiry (default 1)
`;

/** The ports that a base stands for: `npm start` uses these and no others below base+12. */
export const PORT_SPAN = 12;

/** Reads what was asked for, or 'help'. `root` is what relative paths are relative to. Throws UsageError. */
export function readConfiguration(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  root: string,
): Configuration | 'help' {
  const options = readArguments(args);
  if (options.help === true) return 'help';
  const environment = readEnvironment(env.TIDEGATE_ENV || 'sandbox');
  const base = readPortBase(env.TIDEGATE_PORT_BASE || '8080');
  return {
    fresh: options.fresh === true,
    dataDir: resolve(root, env.TIDEGATE_DATA_DIR || '.data'),
    ports: { rest: base, api: base + 1, worker: base + 2, upstream: base + 10, receiver: base + 11 },
    environment,
    scheduleScale: readScale(env.TIDEGATE_SCHEDULE_SCALE || '1', environment),
    databaseUrl: readUrl('DATABASE_URL', env.DATABASE_URL, ['postgres:', 'postgresql:']),
    redisUrl: readRedis(env.REDIS_URL),
  };
}

function readArguments(args: readonly string[]): { fresh?: boolean; help?: boolean } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { fresh: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    return values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
  }
}

function readEnvironment(text: string): 'sandbox' | 'production' {
  if (text === 'sandbox' || text === 'production') return text;
  throw new UsageError(`TIDEGATE_ENV is ${text}: it can be sandbox or production`);
}

function readPortBase(text: string): number {
  const base = Number(text);
  if (/^\d+$/.test(text) && base >= 1 && base + PORT_SPAN <= 65_536) return base;
  throw new UsageError(`TIDEGATE_PORT_BASE is ${text}: it has to be a number from 1 to ${65_536 - PORT_SPAN}`);
}

function readScale(text: string, environment: 'sandbox' | 'production'): number {
  const scale = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || !(scale > 0) || scale > 1_000) {
    throw new UsageError(
      `TIDEGATE_SCHEDULE_SCALE is ${text}: it has to be a number above 0, at most 1000, such as 0.1`,
    );
  }
  if (environment === 'production' && scale !== 1) {
    throw new UsageError('TIDEGATE_SCHEDULE_SCALE is for the sandbox only: in production it has to be 1 or unset');
  }
  return scale;
}

function readUrl(name: string, text: string | undefined, protocols: readonly string[]): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
  // The value may hold a password: it is not repeated here.
  throw new UsageError(`${name} has to be a URL that begins with ${protocols.map((one) => `${one}//`).join(' or ')}`);
}

function readRedis(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const read = readRedisUrl(text);
  if (!read.ok) throw new UsageError(`REDIS_URL ${read.problems.join('; REDIS_URL ')}`);
  return text;
}
