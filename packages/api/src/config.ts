import { z } from 'zod';

/** What this process is told by its environment. */
export interface Config {
  /** 0: any free port. */
  port: number;
  host: string;
  databaseUrl: string;
  redisUrl: string;
  /** 64 hexadecimal digits. */
  secret: string;
  environment: 'sandbox' | 'production';
  logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** Where merchants and payers reach the REST adapter. */
  publicBaseUrl: string;
}

/** An environment that this process cannot work with; the message names every problem, a line each, and no value. */
export class ConfigError extends Error {}

const variables = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'has to be a port number')
    .refine((text) => Number(text) <= 65_535, 'has to be a port number')
    .default('8081'),
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: urlOf(/^postgres(ql)?$/, 'has to be a URL that begins with postgres://'),
  REDIS_URL: urlOf(/^rediss?$/, 'has to be a URL that begins with redis://'),
  TIDEGATE_SECRET: z.string('is missing').regex(/^[0-9a-fA-F]{64}$/, 'has to be 64 hexadecimal digits'),
  // Without a default: to forget it in production must not open the sandbox's doors.
  TIDEGATE_ENV: z.enum(['sandbox', 'production'], 'has to be sandbox or production'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], 'has to be debug, info, warn or error').default('info'),
  PUBLIC_BASE_URL: urlOf(/^https?$/, 'has to be a URL that begins with https:// or http://'),
});

function urlOf(protocol: RegExp, message: string) {
  return z
    .string('is missing')
    .refine((text) => URL.canParse(text) && protocol.test(new URL(text).protocol.slice(0, -1)), message);
}

/** Reads the configuration; an empty variable counts as absent. Throws ConfigError with all problems at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = variables.safeParse(present);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('\n'));
  }
  const { data } = parsed;
  return {
    port: Number(data.PORT),
    host: data.HOST,
    databaseUrl: data.DATABASE_URL,
    redisUrl: data.REDIS_URL,
    secret: data.TIDEGATE_SECRET,
    environment: data.TIDEGATE_ENV,
    logLevel: data.LOG_LEVEL,
    publicBaseUrl: data.PUBLIC_BASE_URL,
  };
}
