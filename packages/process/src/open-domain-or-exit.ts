import { setTimeout as delay } from 'node:timers/promises';
import {
  type Domain,
  type DomainOptions,
  isConnectionLoss,
  isTimeout,
  openDomain,
  SchemaTooOld,
} from '@tidegate/domain';
import type { EnvironmentName } from '@tidegate/settings';
import { refusalsOfProduction } from './refusals-of-production.ts';

interface DomainSettings {
  TIDEGATE_ENV: EnvironmentName;
  DATABASE_URL: string;
  DATABASE_READ_URL?: string | undefined;
  TIDEGATE_SECRET: string;
  PUBLIC_BASE_URL: string;
  TIDEGATE_SCHEDULE_SCALE: number;
  NOTIFY_ALLOW_CIDRS: readonly string[];
  CHANNEL_ALLOW_CIDRS: readonly string[];
}

/** The options of the domain that are read from the settings. */
type OptionOfSettings =
  | 'databaseUrl'
  | 'databaseReadUrl'
  | 'secret'
  | 'publicBaseUrl'
  | 'scheduleScale'
  | 'notifyAllowCidrs'
  | 'channelAllowCidrs';

/**
 * Opens the domain at the start of a process. If it cannot be used, logs one line per problem and exits with 1: the
 * database does not answer, its schema is too old, or production must not run on it.
 */
export async function openDomainOrExit(
  settings: DomainSettings,
  more: Omit<DomainOptions, OptionOfSettings>,
): Promise<Domain> {
  const options: DomainOptions = {
    databaseUrl: settings.DATABASE_URL,
    databaseReadUrl: settings.DATABASE_READ_URL,
    secret: settings.TIDEGATE_SECRET,
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    scheduleScale: settings.TIDEGATE_SCHEDULE_SCALE,
    notifyAllowCidrs: settings.NOTIFY_ALLOW_CIDRS,
    channelAllowCidrs: settings.CHANNEL_ALLOW_CIDRS,
    ...more,
  };
  try {
    const domain = await openPatiently(options);
    const refusals = settings.TIDEGATE_ENV === 'production' ? await refusalsOfProduction(domain) : [];
    if (refusals.length === 0) return domain;
    for (const refusal of refusals) options.log.error({}, refusal);
  } catch (error) {
    if (error instanceof SchemaTooOld) options.log.error({}, error.message);
    else if (isConnectionLoss(error)) options.log.error({ err: error }, NO_ANSWER);
    else throw error;
  }
  process.exit(1);
}

/** How often a database is tried that refuses connections. */
const CONNECT_TRIES = 5;
const CONNECT_PAUSE_MS = 500;
/** How long a database is tried that is there, but does not answer in time. */
const SLOW_FOR_MS = 30_000;
const NO_ANSWER = 'The database does not answer. Start it, or correct DATABASE_URL.';

/** Retries, because a first connection is slow while many processes start on one machine. */
async function openPatiently(options: DomainOptions): Promise<Domain> {
  const began = performance.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await openDomain(options);
    } catch (error) {
      const isSlow = isTimeout(error) && performance.now() - began < SLOW_FOR_MS;
      if (!isConnectionLoss(error) || (tries >= CONNECT_TRIES && !isSlow)) throw error;
      options.log.warn({ err: error }, 'the database does not answer yet');
      await delay(CONNECT_PAUSE_MS);
    }
  }
}
