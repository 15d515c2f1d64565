import type pg from 'pg';
import { every } from '../boundary/guarded.ts';
import { tagOfOrderNo } from '../core/order-number.ts';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import { lookUpLimit } from '../database/look-up.ts';
import {
  type ConfigurationChanges,
  configurationMaxAge,
  type FeedOptions,
  openConfigurationFeed,
} from './configuration-feed.ts';
import { openKeyUses } from './key-uses.ts';
import { merchantsOfTag } from './queries.ts';
import { type MerchantProfile, openMerchantReader } from './read-merchants.ts';

/** The merchants and their configuration, in memory: about a second behind the database, and never more than five. */
export interface Directory {
  /** Throws LedgerUnavailable if the cached value is older than five seconds and the database does not answer. */
  merchant(merchantId: string): Promise<MerchantProfile | null>;
  /** The merchants to which an order number may belong, nearly always one. */
  merchantsOfOrderNo(orderNo: string): Promise<string[]>;
  keyUsed(merchantId: string, keyId: string): void;
  close(): Promise<void>;
}

/** How often the uses of keys are written, in milliseconds. */
const writeUsesEvery = 1_000;
/**
 * The most merchants in memory. The oldest is dropped first. Unknown numbers are not cached, so they cannot displace a
 * merchant.
 */
const capacity = 20_000;
/**
 * A merchant is read again after this time, in milliseconds, even without a reported change. So a change made with the
 * triggers disabled is seen too.
 */
const reloadAfter = 5 * 60_000;

interface Kept {
  /** The time before the read was sent, by `performance.now()`. */
  since: number;
  profile: Promise<MerchantProfile | null>;
}

export interface DirectoryAccess {
  directory: Directory;
}

export interface DirectoryOptions extends Pick<FeedOptions, 'everyMs' | 'maxAgeMs' | 'waitMs'> {
  onError: (error: unknown) => void;
  /** Other caches of merchants' data. */
  changed?: (changes: ConfigurationChanges) => void;
  reloadAfterMs?: number;
}

/** Reads the primary, because a replica may be behind and this decides requests. */
export function openDirectory(pool: pg.Pool, options: DirectoryOptions): Directory {
  const { onError, maxAgeMs = configurationMaxAge, waitMs = 1_000, reloadAfterMs = reloadAfter } = options;
  const kept = new Map<string, Kept>();
  const read = openMerchantReader(pool);
  const changed = (changes: ConfigurationChanges): void => {
    drop(kept, changes);
    options.changed?.(changes);
  };
  const feed = openConfigurationFeed(pool, { ...options, changed });
  const uses = openKeyUses(pool);
  let writing: Promise<void> = Promise.resolve();
  const writeUses = (): void => {
    writing = writing.then(() => uses.write()).catch(onError);
  };
  const timer = every(writeUsesEvery, writeUses, onError);
  timer.unref();

  const load = (merchantId: string): Kept => {
    const loaded = { since: performance.now(), profile: read(merchantId) };
    kept.set(merchantId, loaded);
    const remove = (): void => {
      if (kept.get(merchantId) === loaded) kept.delete(merchantId);
    };
    loaded.profile.then((profile) => {
      if (!profile) return remove();
      const [oldest] = kept.keys();
      if (kept.size > capacity + lookUpLimit && oldest !== undefined) kept.delete(oldest);
    }, remove);
    return loaded;
  };

  return {
    async merchant(merchantId) {
      const until = performance.now() + waitMs;
      do {
        await feed.refresh();
        const known = kept.get(merchantId);
        const found = known && performance.now() - known.since <= reloadAfterMs ? known : load(merchantId);
        const profile = await found.profile;
        // The age is checked after the wait, because the process may have been stopped meanwhile.
        const confirmedAt = kept.get(merchantId) === found ? feed.confirmedAt() : found.since;
        if (performance.now() - Math.max(found.since, confirmedAt) <= maxAgeMs) return profile;
      } while (performance.now() < until);
      throw new LedgerUnavailable('the configuration cannot be refreshed');
    },
    async merchantsOfOrderNo(orderNo) {
      const { rows } = await pool.query<{ merchantId: string }>({
        ...merchantsOfTag,
        values: [tagOfOrderNo(orderNo)],
      });
      return rows.map((row) => row.merchantId);
    },
    keyUsed: uses.used,
    async close() {
      clearInterval(timer);
      await Promise.all([feed.close(), writing]);
    },
  };
}

/** A channel's routes and bank mappings can belong to any number of merchants. */
function drop(kept: Map<string, Kept>, changes: ConfigurationChanges): void {
  if (changes === null || changes.some(({ kind, id }) => kind === 'channel' || id === '*')) kept.clear();
  else for (const { id } of changes) kept.delete(id);
}
