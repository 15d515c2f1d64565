import { readRedisUrl } from '@tidegate/queue';
import * as z from 'zod';

const urlOf = (protocols: RegExp, message: string) =>
  z.string('is missing').refine((text) => URL.canParse(text) && protocols.test(new URL(text).protocol), message);

const port = z
  .string()
  .regex(/^[0-9]{1,5}$/, 'has to be a port number')
  .transform(Number)
  .refine((value) => value <= 65_535, 'has to be a port number');

const redisUrl = z.string('is missing').superRefine((text, context) => {
  const read = readRedisUrl(text);
  for (const message of read.ok ? [] : read.problems) context.addIssue({ code: 'custom', message });
});

const cidrs = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

/** The variables that every process reads. Secrets are never part of a message. */
export const commonVariables = {
  PORT: port,
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: urlOf(/^postgres(ql)?:$/, 'has to be a URL that begins with postgres://'),
  REDIS_URL: redisUrl,
  TIDEGATE_SECRET: z
    .string('is missing')
    .regex(/^[0-9a-fA-F]{64}$/, 'has to be 64 hexadecimal digits (openssl rand -hex 32)'),
  // Without a default: to forget it in production must not open the sandbox's doors.
  TIDEGATE_ENV: z.enum(['sandbox', 'production'], 'has to be sandbox or production'),
  PUBLIC_BASE_URL: urlOf(/^https?:$/, 'has to be a URL that begins with https:// or http://'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], 'has to be debug, info, warn or error').default('info'),
  TIDEGATE_SCHEDULE_SCALE: z
    .string()
    .default('1')
    .transform(Number)
    .refine((value) => value > 0 && value <= 100, 'has to be a number above 0, up to 100'),
  NOTIFY_ALLOW_CIDRS: cidrs,
  /** How long a process that is told to end still takes what comes, while `/readyz` says 503: as long as a load balancer needs to see it. */
  DRAIN_NOTICE_SECONDS: z
    .string()
    .regex(/^([0-9]|10)$/, 'has to be a whole number of seconds from 0 to 10')
    .transform(Number)
    .optional(),
};

/** In milliseconds. In production 5 s unless the environment says otherwise; a sandbox has no balancer before it. */
export function drainNoticeMs(settings: {
  TIDEGATE_ENV: 'sandbox' | 'production';
  DRAIN_NOTICE_SECONDS?: number | undefined;
}): number {
  return 1_000 * (settings.DRAIN_NOTICE_SECONDS ?? (settings.TIDEGATE_ENV === 'production' ? 5 : 0));
}

interface Checked {
  TIDEGATE_ENV: 'sandbox' | 'production';
  TIDEGATE_SECRET: string;
  TIDEGATE_SCHEDULE_SCALE: number;
  NOTIFY_ALLOW_CIDRS: string[];
}

/** What production refuses to start with (decisions 9). */
const productionRules: { variable: string; broken: (settings: Checked) => boolean; reason: string }[] = [
  {
    variable: 'TIDEGATE_SECRET',
    broken: (s) => new Set(s.TIDEGATE_SECRET.toLowerCase()).size < 8,
    reason: 'has to be random in production',
  },
  {
    variable: 'NOTIFY_ALLOW_CIDRS',
    broken: (s) => s.NOTIFY_ALLOW_CIDRS.length > 0,
    reason: 'has to be empty in production',
  },
  {
    variable: 'TIDEGATE_SCHEDULE_SCALE',
    broken: (s) => s.TIDEGATE_SCHEDULE_SCALE !== 1,
    reason: 'has to be 1 in production',
  },
];

/** Reads `schema` from the environment; an empty variable counts as absent. All problems at once, a line each. */
export function readEnvironment<T extends Checked>(
  schema: z.ZodType<T>,
  env: NodeJS.ProcessEnv,
): { ok: true; settings: T } | { ok: false; problems: string[] } {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(present);
  if (!parsed.success)
    return { ok: false, problems: parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`) };
  const settings = parsed.data;
  if (settings.TIDEGATE_ENV !== 'production') return { ok: true, settings };
  const problems = productionRules
    .filter((rule) => rule.broken(settings))
    .map(({ variable, reason }) => `${variable} ${reason}`);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}

/** The same for a process's start: with problems it says them and ends. */
export function environmentOrExit<T extends Checked>(schema: z.ZodType<T>): T {
  const read = readEnvironment(schema, process.env);
  if (read.ok) return read.settings;
  console.error(`The environment is not right:\n${read.problems.map((problem) => `  ${problem}`).join('\n')}`);
  process.exit(1);
}
