import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readSettings, sandboxSettings } from '@tidegate/settings';
import { providerNames } from './provider-names.ts';

/** The settings of `npm start`, from environment variables and arguments. */
export interface Configuration {
  readonly fresh: boolean;
  /** Providers whose fakes are started (`--channels`). Each gets a channel. */
  readonly channels: readonly string[];
  readonly dataDir: string;
  readonly ports: SandboxPorts;
  /** Factor on all waits for polling, retrying, breaker and expiry. */
  readonly scheduleScale: number;
  /** If undefined, a private PostgreSQL is started. */
  readonly databaseUrl: string | undefined;
  /** If undefined, a private Redis is started. */
  readonly redisUrl: string | undefined;
}

export interface SandboxPorts {
  readonly rest: number;
  readonly api: number;
  readonly worker: number;
  readonly upstream: number;
  readonly receiver: number;
}

/** An error that the user can correct. Printed without a stack. */
export class UsageError extends Error {}

export const HELP = `npm start [-- --fresh] [-- --channels NAMES]

Starts everything that a local Tidegate needs and stays in the foreground; Ctrl-C ends it all.

  --fresh   begin with empty data (otherwise it goes on where the last one stopped)
  --channels NAMES
            start the fakes of these providers too, each with a channel: ${providerNames.join(',')}
  --help    this text

Environment
  DATABASE_URL             a PostgreSQL 18 of yours; unset: a private one is started
  REDIS_URL                a Redis of yours, or a Redis Cluster (several URLs with commas between them, or one with
                           ?cluster=true); unset: a private one is started
  TIDEGATE_DATA_DIR        where data, logs and sandbox.json are kept (default .data)
  TIDEGATE_PORT_BASE       first of the ports, base+0 to base+11 (default 8080)
  TIDEGATE_SCHEDULE_SCALE  factor on every wait of polling, retrying, breaker, expiry (default 1)

DATABASE_URL_FILE and REDIS_URL_FILE name files that hold these instead; docs/running/configuration.md says all of it.
`;

/** Reads the settings. Returns 'help' for `--help`. Relative paths begin at `root`. Throws UsageError. */
export function readConfiguration(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  root: string,
): Configuration | 'help' {
  const options = readArguments(args);
  if (options.help === true) return 'help';
  const read = readSettings(sandboxSettings, env);
  if (!read.ok) throw new UsageError(`The environment is invalid:\n  ${read.problems.join('\n  ')}`);
  const { TIDEGATE_PORT_BASE: base, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = read.settings;
  return {
    fresh: options.fresh === true,
    channels: readChannels(options.channels),
    dataDir: resolve(root, read.settings.TIDEGATE_DATA_DIR),
    ports: { rest: base, api: base + 1, worker: base + 2, upstream: base + 10, receiver: base + 11 },
    scheduleScale: read.settings.TIDEGATE_SCHEDULE_SCALE,
    databaseUrl,
    redisUrl,
  };
}

function readChannels(names: string | undefined): string[] {
  const channels = [...new Set((names ?? '').split(',').filter((name) => name !== ''))];
  const unknown = channels.find((name) => !providerNames.includes(name));
  if (unknown === undefined) return channels;
  throw new UsageError(`There is no provider ${unknown}. The providers are ${providerNames.join(', ')}.`);
}

function readArguments(args: readonly string[]): { fresh?: boolean; help?: boolean; channels?: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { fresh: { type: 'boolean' }, channels: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    return values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
  }
}
