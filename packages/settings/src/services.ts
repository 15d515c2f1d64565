import * as z from 'zod';
import { hasPatternedKey } from './is-patterned.ts';
import { reachesThisMachine } from './reaches-this-machine.ts';
import {
  amount,
  baseUrl,
  cidrs,
  databaseUrl,
  decimalNumber,
  port,
  redisUrl,
  text,
  webUrl,
  wholeNumber,
  wholeNumberOr,
} from './schemas.ts';
import { type SettingsRule, variableFacts } from './variable.ts';

export const environmentNames = ['sandbox', 'production'] as const;
export type EnvironmentName = (typeof environmentNames)[number];

/** Database address and keys: for every process that opens the domain. */
export const domainVariables = {
  DATABASE_URL: databaseUrl().register(variableFacts, {
    description:
      'The PostgreSQL 18 database: `postgres://user:password@host:port/database`, with `?sslmode=verify-full` for [TLS](database-tls.md).',
    secret: true,
  }),
  TIDEGATE_KEYS: text(65_536).register(variableFacts, {
    description: 'The [key file](keys.md) of this kind of process, from `npm run admin -- make-keys`.',
    secret: true,
  }),
  TIDEGATE_SCHEDULE_SCALE: decimalNumber(0.000001, 100, 'has to be a number above 0, up to 100')
    .prefault('1')
    .register(variableFacts, {
      description: 'Factor for every wait of polling, retries, breakers and expiry.',
    }),
  NOTIFY_ALLOW_CIDRS: cidrs().register(variableFacts, {
    description:
      'Non-public networks where notifications may go, separated by commas, for example `127.0.0.0/8,::1/128` in a sandbox.',
  }),
  CHANNEL_ALLOW_CIDRS: cidrs().register(variableFacts, {
    description:
      'Non-public networks where channels may be called, separated by commas, for example of a bank behind a VPN; as small as possible. The same for all processes and the command line.',
  }),
};

/** It has no default, so that production never runs with the rules of a sandbox by mistake. */
const environment = z.enum(environmentNames, 'has to be sandbox or production').register(variableFacts, {
  description: '`sandbox` or `production`. Production refuses to start with settings or data of a sandbox.',
});

/** Where traces are sent. The names are those of OpenTelemetry. */
const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl().optional().register(variableFacts, {
    description: 'Where [traces](tracing.md) are sent by OTLP over HTTP, e.g. `http://collector:4318`.',
    preset: 'nothing is traced',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: text()
    .regex(/^[\w-]+=[^,\r\n]*(,[\w-]+=[^,\r\n]*)*$/, 'has to be name=value, with commas between several')
    .transform((value) => Object.fromEntries(value.split(',').map((pair) => pairOf(pair))))
    .optional()
    .register(variableFacts, {
      description: 'Headers for the collector: `name=value`, separated by commas.',
      secret: true,
      preset: 'none',
    }),
  OTEL_TRACES_SAMPLER_ARG: decimalNumber(0, 1, 'has to be a number from 0 to 1').prefault('1').register(variableFacts, {
    description: 'Share of requests that are traced, from 0 to 1.',
  }),
};

function pairOf(pair: string): [string, string] {
  const mark = pair.indexOf('=');
  return [pair.slice(0, mark), pair.slice(mark + 1)];
}

/** Variables of all services: the REST adapter, the API and the worker. */
export const serviceVariables = {
  TIDEGATE_ENV: environment,
  PORT: port().register(variableFacts, { description: 'The port to listen on; 0 is any free one.' }),
  HOST: text(255).prefault('127.0.0.1').register(variableFacts, {
    description: 'The address to listen on: `0.0.0.0` in a container.',
  }),
  ...domainVariables,
  DATABASE_LEDGER_URL: databaseUrl().optional().register(variableFacts, {
    description:
      'The same database with the [role](database-roles.md) that writes the ledger for this process. The role of `DATABASE_URL` then cannot.',
    secret: true,
    preset: '`DATABASE_URL`',
  }),
  REDIS_URL: redisUrl().register(variableFacts, {
    description:
      '`redis://user:password@host:port/0`, or `rediss://` for TLS. A Redis Cluster: several URLs separated by commas, or one with `?cluster=true`. [Sentinels](high-availability.md#redis): `?sentinel=name`.',
    secret: true,
  }),
  PUBLIC_BASE_URL: baseUrl().register(variableFacts, {
    description: 'Where merchants and payers reach the REST adapter, e.g. `https://pay.example.com`.',
  }),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error'], 'has to be debug, info, warn or error')
    .prefault('info')
    .register(variableFacts, { description: '`debug`, `info`, `warn` or `error`.' }),
  DRAIN_NOTICE_SECONDS: wholeNumber(0, 10, 'has to be a whole number of seconds from 0 to 10')
    .optional()
    .register(variableFacts, {
      description:
        'How long a process still serves requests after SIGTERM, while `/readyz` answers 503. Set it to what your load balancer needs to notice.',
      preset: '`5` in production, `0` in the sandbox',
    }),
  ...tracingVariables,
};

/** For processes that clients reach through proxies. */
export const trustedProxies = wholeNumberOr(0, 0, 9, 'has to be a number from 0 to 9').register(variableFacts, {
  description:
    'Number of your proxies that a request passes: how many entries of `X-Forwarded-For` are trusted. Clients must not reach the port around them.',
});

/** For processes that answer reads. */
export const readReplica = databaseUrl().optional().register(variableFacts, {
  description: 'A [read replica](read-replica.md) of the database.',
  secret: true,
  preset: '`DATABASE_URL`',
});

export const approvalLimit = amount().optional().register(variableFacts, {
  description:
    'What an operator may move alone in a day (UTC), in each currency: top-ups, settlements, adjustments, confirmed funds and credited cases together. 0: nothing.',
  preset: '`10000.00`',
});

export const approvalSignIn = z.enum(['token', 'oidc'], 'has to be token or oidc').optional().register(variableFacts, {
  description:
    'How operators must sign in for what needs two people: `token` (of this service) or `oidc` (identity provider). The same for all processes: with both, one person could act as two. Production requires it if OIDC is set.',
  preset: 'token, until an operator signs in by OIDC. Then operations for two are refused',
});

interface Checked {
  TIDEGATE_ENV: EnvironmentName;
  TIDEGATE_KEYS: string;
  TIDEGATE_SCHEDULE_SCALE: number;
  NOTIFY_ALLOW_CIDRS: string[];
  CHANNEL_ALLOW_CIDRS: string[];
}

/** Rules for every process that opens the domain (decisions 9). */
export const domainRules: readonly SettingsRule<Checked>[] = [
  {
    variable: 'TIDEGATE_KEYS',
    reason: 'has to have random keys in production (npm run admin -- make-keys)',
    inProduction: true,
    broken: ({ TIDEGATE_KEYS: keys }) => keys !== undefined && hasPatternedKey(keys),
  },
  {
    variable: 'NOTIFY_ALLOW_CIDRS',
    reason: 'has to be empty in production',
    inProduction: true,
    broken: ({ NOTIFY_ALLOW_CIDRS: networks = [] }) => networks.length > 0,
  },
  {
    variable: 'CHANNEL_ALLOW_CIDRS',
    reason:
      'must not hold addresses of this machine or of its own link in production (127.0.0.0/8, 169.254.0.0/16, ::1, fe80::/10 and the like)',
    inProduction: true,
    broken: ({ CHANNEL_ALLOW_CIDRS: networks = [] }) => networks.some(reachesThisMachine),
  },
  {
    variable: 'TIDEGATE_SCHEDULE_SCALE',
    reason: 'has to be 1 in production',
    inProduction: true,
    broken: ({ TIDEGATE_SCHEDULE_SCALE: scale = 1 }) => scale !== 1,
  },
];

/**
 * DRAIN_NOTICE_SECONDS in milliseconds. Default: 5 s in production; none in a sandbox, because it has no load balancer.
 */
export function drainNoticeMs(settings: {
  TIDEGATE_ENV: EnvironmentName;
  DRAIN_NOTICE_SECONDS?: number | undefined;
}): number {
  return 1_000 * (settings.DRAIN_NOTICE_SECONDS ?? (settings.TIDEGATE_ENV === 'production' ? 5 : 0));
}
