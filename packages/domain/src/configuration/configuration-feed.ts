import type pg from 'pg';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import { configurationChanges } from './statements.ts';

/** A merchant or channel whose configuration changed; the id is `*` where a table was emptied. */
export interface ConfigurationChange {
  kind: 'merchant' | 'channel';
  id: string;
}

/** What changed since the last look; null: possibly everything. */
export type ConfigurationChanges = readonly ConfigurationChange[] | null;

/**
 * Follows what the database says was changed of merchants and channels. Who keeps configuration drops what `changed` names, and may use the
 * rest as long as `isFresh`.
 */
export interface ConfigurationFeed {
  /** When, by `performance.now()`, everything that is kept was last known to be what the database had. */
  confirmedAt(): number;
  /** Resolves once what is kept is known to be at most `maxAgeMs` old. Throws LedgerUnavailable where that takes longer than `waitMs`. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface FeedOptions {
  changed: (changes: ConfigurationChanges) => void;
  onError: (error: unknown) => void;
  /** How often the database is asked. */
  everyMs?: number;
  /** How old what is kept may be when it is used. */
  maxAgeMs?: number;
  /** How long a request waits for a look at the database. */
  waitMs?: number;
}

/** How old configuration may be when a request is decided by it, in milliseconds. */
export const configurationMaxAge = 5_000;
/** How long a look may take before its connection is given up, so that one dead connection is found before everything counts as old. */
const lookWithin = 2_000;
/** Changes that are named one by one; where there are more, everything counts as changed. */
const changeLimit = 5_000;

interface Look {
  server: string;
  snapshot: string;
  isBack: boolean;
  changes: [ConfigurationChange['kind'], string][];
}

/**
 * Every change carries its transaction's number, and each look takes the database's snapshot with it: the next look asks for what is visible
 * now and was not in that snapshot. So nothing is missed, however late it is committed or however long this process did not look, and
 * no clock is compared. Ages are of the monotonic clock (on Linux it goes on while a process is stopped, not while the machine is
 * suspended: then the connections are usually dead as well) and count from before the look was sent.
 */
export function openConfigurationFeed(pool: pg.Pool, options: FeedOptions): ConfigurationFeed {
  const { everyMs = 1_000, maxAgeMs = configurationMaxAge, waitMs = 1_000 } = options;
  let position: { server: string; snapshot: string } | null = null;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;

  const look = async (): Promise<void> => {
    const sentAt = performance.now();
    const values = [position?.snapshot ?? null, changeLimit + 1];
    const { rows } = await pool.query<Look>({ ...configurationChanges, values, ...timeout });
    const [found] = rows;
    if (!found) throw new Error('the database does not say what was changed');
    const { server, snapshot, changes } = found;
    const isKnown = position?.server === server && !found.isBack && changes.length <= changeLimit;
    options.changed(isKnown ? changes.map(([kind, id]) => ({ kind, id })) : null);
    position = { server, snapshot };
    confirmedAt = sentAt;
  };
  const lookOnce = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
  // A look that fails loses nothing: the next one asks from the same position.
  const timer = setInterval(() => void lookOnce().catch(options.onError), everyMs);
  timer.unref();

  const isFresh = (): boolean => performance.now() - confirmedAt <= maxAgeMs;
  return {
    confirmedAt: () => confirmedAt,
    async refresh() {
      const until = performance.now() + waitMs;
      // A look that was under way before a pause is too old when it is answered; then another one follows.
      while (!isFresh()) await within(until - performance.now(), lookOnce());
    },
    async close() {
      clearInterval(timer);
      await looking?.catch(() => undefined);
    },
  };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new LedgerUnavailable('the configuration is too old')), Math.max(0, ms));
  try {
    await Promise.race([work, late]);
  } catch (cause) {
    throw new LedgerUnavailable('the configuration cannot be refreshed', { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** The driver takes it for a single statement; its types do not say so. */
const timeout = { query_timeout: lookWithin };
