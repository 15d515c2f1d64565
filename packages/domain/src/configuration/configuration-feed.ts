import type pg from 'pg';
import { every } from '../boundary/guarded.ts';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import { configurationChanges } from './queries.ts';

/** A merchant or channel whose configuration changed. The id is `*` if the whole table was emptied. */
export interface ConfigurationChange {
  kind: 'merchant' | 'channel';
  id: string;
}

/** The changes since the last poll; null: possibly everything changed. */
export type ConfigurationChanges = readonly ConfigurationChange[] | null;

/**
 * Follows changes of merchants and channels in the database. A cache drops the entries that `changed` names. The other
 * entries are valid while the feed is fresh.
 */
export interface ConfigurationFeed {
  /** The time (`performance.now()`) at which all cached values were last known to be current. */
  confirmedAt(): number;
  /**
   * Resolves once cached values are known to be at most `maxAgeMs` old. Throws LedgerUnavailable if that takes longer
   * than `waitMs`.
   */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface FeedOptions {
  changed: (changes: ConfigurationChanges) => void;
  onError: (error: unknown) => void;
  /** Poll interval. */
  everyMs?: number;
  /** The greatest age of a cached value at its use. */
  maxAgeMs?: number;
  /** How long a request waits for a poll. */
  waitMs?: number;
}

/** The greatest age of the configuration that decides a request, in milliseconds. */
export const configurationMaxAge = 5_000;
/**
 * How long a poll may take before its connection is given up. A dead connection must be found before all values count
 * as too old.
 */
const lookWithin = 2_000;
/** The most changes that are reported one by one. If there are more, everything counts as changed. */
const changeLimit = 5_000;

interface Look {
  server: string;
  snapshot: string;
  isBack: boolean;
  changes: [ConfigurationChange['kind'], string][];
}

/**
 * Every change carries its transaction's number, and each poll reads the database's snapshot. The next poll asks for
 * what is visible now and was not in that snapshot. So no change is missed, however late it is committed and however
 * long this process was stopped. No clocks are compared. Ages count from before the poll was sent, by the monotonic
 * clock. On Linux it runs on while a process is stopped, but not while the machine is suspended. Then the connections
 * are usually dead as well.
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
  // A failed poll loses nothing: the next one starts from the same position.
  const timer = every(everyMs, lookOnce, options.onError);
  timer.unref();

  const isFresh = (): boolean => performance.now() - confirmedAt <= maxAgeMs;
  return {
    confirmedAt: () => confirmedAt,
    async refresh() {
      const until = performance.now() + waitMs;
      // A poll that began before a pause is too old when it is answered. Then another one follows.
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

/** The driver's types allow one result only. */
const timeout = { query_timeout: lookWithin };
