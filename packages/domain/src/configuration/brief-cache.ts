import { LRUCache } from 'lru-cache';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import { configurationMaxAge } from './configuration-feed.ts';

export interface BriefCacheOptions<Value> {
  read(key: string): Promise<Value>;
  /** How long a value is reused, in milliseconds. */
  keepMs: number;
  /** The most keys in memory. The least recently used one is dropped first. */
  capacity: number;
  /** The greatest age of a value at its use, in milliseconds. */
  maxAgeMs?: number;
}

export interface BriefCache<Value> {
  get(key: string): Promise<Value>;
  clear(): void;
}

interface Answer<Value> {
  since: number;
  value: Promise<Value>;
}

/** Number of reads before a value that always arrives too late is given up. */
const tries = 3;

/**
 * Reads each key at most once in `keepMs`. A value's age counts from the time before its read was sent. So a value that
 * arrived while the process was stopped is not used too late.
 */
export function openBriefCache<Value>(options: BriefCacheOptions<Value>): BriefCache<Value> {
  const { read, keepMs, capacity, maxAgeMs = configurationMaxAge } = options;
  const kept = new LRUCache<string, Answer<Value>>({ max: capacity });
  const find = (key: string): Answer<Value> => {
    const known = kept.get(key);
    if (known && performance.now() - known.since <= Math.min(keepMs, maxAgeMs)) return known;
    const lookup = { since: performance.now(), value: read(key) };
    kept.set(key, lookup);
    lookup.value.catch(() => {
      if (kept.peek(key) === lookup) kept.delete(key);
    });
    return lookup;
  };
  return {
    async get(key) {
      for (let i = 0; i < tries; i += 1) {
        const { since, value } = find(key);
        const found = await value;
        if (performance.now() - since <= maxAgeMs) return found;
      }
      throw new LedgerUnavailable('the configuration is too old');
    },
    clear: () => kept.clear(),
  };
}
