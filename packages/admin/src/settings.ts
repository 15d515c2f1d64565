import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commonVariables } from '@tidegate/process';
import * as z from 'zod';

/** Where the service is, and how to open it. */
export interface Settings {
  databaseUrl: string;
  /** Null: nobody is woken, and the worker's dispatcher finds the work. */
  redisUrl: string | null;
  secret: string;
  publicBaseUrl: string;
  scheduleScale: number;
  notifyAllowCidrs: string[];
  approvalLimit: string | null;
  /** A sandbox's own operators. */
  sandboxTokens: { admin: string; approver: string } | null;
}

type Read = { ok: true; settings: Settings } | { ok: false; problems: string[] };

const repository = fileURLToPath(new URL('../../..', import.meta.url));

const variables = z.object({
  DATABASE_URL: commonVariables.DATABASE_URL,
  REDIS_URL: commonVariables.REDIS_URL.optional(),
  TIDEGATE_SECRET: commonVariables.TIDEGATE_SECRET,
  PUBLIC_BASE_URL: commonVariables.PUBLIC_BASE_URL.default('http://localhost'),
  TIDEGATE_SCHEDULE_SCALE: commonVariables.TIDEGATE_SCHEDULE_SCALE,
  NOTIFY_ALLOW_CIDRS: commonVariables.NOTIFY_ALLOW_CIDRS,
  TIDEGATE_APPROVAL_LIMIT: z
    .string()
    .regex(/^[0-9]{1,12}(\.[0-9]{1,2})?$/, 'has to be an amount such as 10000.00')
    .optional(),
});

const sandboxFile = z.object({
  databaseUrl: z.string(),
  redisUrl: z.string(),
  restUrl: z.string(),
  adminToken: z.string(),
  approverToken: z.string(),
});
const secretsFile = z.object({ tidegate: z.string() });

/** Reads where the service is: from the environment; or, with `sandbox` or when only a sandbox is there, from its data folder. */
export function readSettings(env: NodeJS.ProcessEnv, sandbox: boolean): Read {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const folder = resolve(repository, present.TIDEGATE_DATA_DIR ?? '.data');
  const file = join(folder, 'sandbox.json');
  const useSandbox = sandbox || (present.DATABASE_URL === undefined && existsSync(file));
  if (!useSandbox) return fromEnvironment(present);
  try {
    return fromSandbox(present, folder);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it is not there' : 'it cannot be read';
    return { ok: false, problems: [`the sandbox of ${folder}: ${why} (npm start makes one)`] };
  }
}

function fromEnvironment(env: NodeJS.ProcessEnv): Read {
  const parsed = variables.safeParse(env);
  if (!parsed.success)
    return { ok: false, problems: parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`) };
  const found = parsed.data;
  return {
    ok: true,
    settings: {
      databaseUrl: found.DATABASE_URL,
      redisUrl: found.REDIS_URL ?? null,
      secret: found.TIDEGATE_SECRET,
      publicBaseUrl: found.PUBLIC_BASE_URL,
      scheduleScale: found.TIDEGATE_SCHEDULE_SCALE,
      notifyAllowCidrs: found.NOTIFY_ALLOW_CIDRS,
      approvalLimit: found.TIDEGATE_APPROVAL_LIMIT ?? null,
      sandboxTokens: null,
    },
  };
}

/** A sandbox lets notifications go to this machine; what else the environment says counts there too. */
function fromSandbox(env: NodeJS.ProcessEnv, folder: string): Read {
  const open = <T>(schema: z.ZodType<T>, name: string): T =>
    schema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const sandbox = open(sandboxFile, 'sandbox.json');
  const read = fromEnvironment({
    NOTIFY_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    ...env,
    DATABASE_URL: sandbox.databaseUrl,
    REDIS_URL: sandbox.redisUrl,
    PUBLIC_BASE_URL: sandbox.restUrl,
    TIDEGATE_SECRET: open(secretsFile, 'secrets.json').tidegate,
  });
  if (!read.ok) return read;
  const sandboxTokens = { admin: sandbox.adminToken, approver: sandbox.approverToken };
  return { ok: true, settings: { ...read.settings, sandboxTokens } };
}
