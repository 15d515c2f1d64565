import { setTimeout as delay } from 'node:timers/promises';
import {
  type Domain,
  type DomainOptions,
  isConnectionLoss,
  isTimeout,
  type KeyNeeds,
  openDomain,
  problemsOfKeys,
  refusedChannels,
  SchemaTooOld,
  WrongEnvironment,
} from '@tidegate/domain';
import type { EnvironmentName } from '@tidegate/settings';
import { refusalsOfProduction } from './refusals-of-production.ts';

interface DomainSettings {
  TIDEGATE_ENV: EnvironmentName;
  DATABASE_URL: string;
  DATABASE_LEDGER_URL?: string | undefined;
  DATABASE_READ_URL?: string | undefined;
  TIDEGATE_KEYS: string;
  PUBLIC_BASE_URL: string;
  TIDEGATE_SCHEDULE_SCALE: number;
  NOTIFY_ALLOW_CIDRS: readonly string[];
  CHANNEL_ALLOW_CIDRS: readonly string[];
}

/** The options of the domain that are read from the settings. */
type OptionOfSettings =
  | 'databaseUrl'
  | 'environment'
  | 'databaseLedgerUrl'
  | 'databaseReadUrl'
  | 'keys'
  | 'publicBaseUrl'
  | 'scheduleScale'
  | 'notifyAllowCidrs'
  | 'channelAllowCidrs';

/**
 * Opens the domain at the start of a process. If it cannot be used, logs one line per problem and exits with 1: the
 * process has not the keys that it needs, or others; the database does not answer, its schema is too old, or production
 * must not run on it.
 */
export async function openDomainOrExit(
  settings: DomainSettings,
  keys: KeyNeeds,
  more: Omit<DomainOptions, OptionOfSettings>,
): Promise<Domain> {
  const problems = problemsOfKeys(settings.TIDEGATE_KEYS, keys);
  for (const problem of problems) more.log.error({}, problem);
  if (problems.length > 0) process.exit(1);
  const options: DomainOptions = {
    databaseUrl: settings.DATABASE_URL,
    environment: settings.TIDEGATE_ENV,
    databaseLedgerUrl: settings.DATABASE_LEDGER_URL,
    databaseReadUrl: settings.DATABASE_READ_URL,
    keys: settings.TIDEGATE_KEYS,
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    scheduleScale: settings.TIDEGATE_SCHEDULE_SCALE,
    notifyAllowCidrs: settings.NOTIFY_ALLOW_CIDRS,
    channelAllowCidrs: settings.CHANNEL_ALLOW_CIDRS,
    ...more,
  };
  const isProduction = settings.TIDEGATE_ENV === 'production';
  try {
    const { domain, refusals } = await patiently(options, () => openAsIntended(options, isProduction));
    if (refusals.length === 0) return domain;
    for (const refusal of refusals) options.log.error({}, refusal);
  } catch (error) {
    if (error instanceof SchemaTooOld || error instanceof WrongEnvironment) options.log.error({}, error.message);
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

/** Opens the domain with all that a start reads of the database. `refusals`: why production must not run on it. */
async function openAsIntended(
  options: DomainOptions,
  isProduction: boolean,
): Promise<{ domain: Domain; refusals: readonly string[] }> {
  const domain = await openDomain(options);
  try {
    const refusals = isProduction ? await refusalsOfProduction(domain) : [];
    // Opening a channel logs why it is not used. Doing it now says so at the start.
    if (refusals.length === 0) await refusedChannels(domain);
    return { domain, refusals };
  } catch (error) {
    await domain.close();
    throw error;
  }
}

/** Retries, because the first answers are slow while many processes start on one machine. */
async function patiently<Result>({ log }: Pick<DomainOptions, 'log'>, open: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await open();
    } catch (error) {
      const isSlow = isTimeout(error) && performance.now() - began < SLOW_FOR_MS;
      if (!isConnectionLoss(error) || (tries >= CONNECT_TRIES && !isSlow)) throw error;
      log.warn({ err: error }, 'the database does not answer yet');
      await delay(CONNECT_PAUSE_MS);
    }
  }
}
