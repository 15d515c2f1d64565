import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SignIn } from '@tidegate/domain/operators';
import { adminSettings, type EnvironmentName, readSettings as readVariables } from '@tidegate/settings';
import { boundedText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';

/** The addresses of the service, and its secrets. */
export interface Settings {
  environment: EnvironmentName;
  databaseUrl: string;
  /** Null: no wake-ups are sent, and the worker's dispatcher finds the work. */
  redisUrl: string | null;
  /** The key ring. */
  keys: string;
  publicBaseUrl: string;
  scheduleScale: number;
  notifyAllowCidrs: string[];
  channelAllowCidrs: string[];
  approvalLimit: string | null;
  approvalSignIn: SignIn | null;
  /** Tokens from the environment, or from the files that it names. */
  operatorToken: string | null;
  approverToken: string | null;
  /** The operators of a sandbox. */
  sandboxTokens: { admin: string; approver: string } | null;
}

type Read = { ok: true; settings: Settings } | { ok: false; problems: string[] };

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

const sandboxFile = z.object({
  databaseUrl: boundedText(4_096),
  redisUrl: boundedText(4_096),
  restUrl: boundedText(4_096),
  adminToken: boundedText(4_096),
  approverToken: boundedText(4_096),
});
const secretsFile = z.object({ keys: boundedText(65_536) });

/** Reads the settings from the environment; or, with `sandbox` or if only a sandbox exists, from its data folder. */
export function readSettings(env: NodeJS.ProcessEnv, sandbox: boolean): Read {
  const folder = resolve(repository, env.TIDEGATE_DATA_DIR || '.data');
  const isNamed = Boolean(env.DATABASE_URL || env.DATABASE_URL_FILE);
  const useSandbox = sandbox || (!isNamed && existsSync(join(folder, 'sandbox.json')));
  if (!useSandbox && !isNamed) return { ok: false, problems: [noSandbox(folder)] };
  if (!useSandbox) return fromEnvironment(env);
  try {
    return fromSandbox(env, folder);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it is not there' : 'it cannot be read';
    return { ok: false, problems: [`the sandbox of ${folder}: ${why} (npm start makes one)`] };
  }
}

const noSandbox = (folder: string): string =>
  `No sandbox found in ${folder}. Run npm start, or set TIDEGATE_DATA_DIR. For a service elsewhere set DATABASE_URL and TIDEGATE_KEYS.`;

function fromEnvironment(env: NodeJS.ProcessEnv): Read {
  const read = readVariables(adminSettings, env);
  if (!read.ok) return read;
  const found = read.settings;
  return {
    ok: true,
    settings: {
      environment: found.TIDEGATE_ENV,
      databaseUrl: found.DATABASE_URL,
      redisUrl: found.REDIS_URL ?? null,
      keys: found.TIDEGATE_KEYS,
      publicBaseUrl: found.PUBLIC_BASE_URL ?? 'http://localhost',
      scheduleScale: found.TIDEGATE_SCHEDULE_SCALE,
      notifyAllowCidrs: found.NOTIFY_ALLOW_CIDRS,
      channelAllowCidrs: found.CHANNEL_ALLOW_CIDRS,
      approvalLimit: found.TIDEGATE_APPROVAL_LIMIT ?? null,
      approvalSignIn: found.TIDEGATE_APPROVAL_SIGN_IN ?? null,
      operatorToken: found.TIDEGATE_OPERATOR_TOKEN ?? null,
      approverToken: found.TIDEGATE_APPROVER_TOKEN ?? null,
      sandboxTokens: null,
    },
  };
}

/** In a sandbox, notifications and calls to channels may go to this machine. Other environment variables apply too. */
function fromSandbox(env: NodeJS.ProcessEnv, folder: string): Read {
  const open = <T>(schema: z.ZodType<T>, name: string): T =>
    schema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const sandbox = open(sandboxFile, 'sandbox.json');
  const own = {
    TIDEGATE_ENV: 'sandbox',
    DATABASE_URL: sandbox.databaseUrl,
    REDIS_URL: sandbox.redisUrl,
    PUBLIC_BASE_URL: sandbox.restUrl,
    TIDEGATE_KEYS: open(secretsFile, 'secrets.json').keys,
  };
  const others = Object.entries(env).filter(([name]) => !(name.replace(/_FILE$/, '') in own));
  const loopback = '127.0.0.0/8,::1/128';
  const allowed = { NOTIFY_ALLOW_CIDRS: loopback, CHANNEL_ALLOW_CIDRS: loopback };
  const read = fromEnvironment({ ...allowed, ...Object.fromEntries(others), ...own });
  if (!read.ok) return read;
  const sandboxTokens = { admin: sandbox.adminToken, approver: sandbox.approverToken };
  return { ok: true, settings: { ...read.settings, sandboxTokens } };
}
