import { LRUCache } from 'lru-cache';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import { configurationMaxAge } from './configuration-feed.ts';

export interface BriefCacheOptions<Value> {
  read(key: string): Promise<Value>;
  /** How long an answer of the database is used for further questions, in milliseconds. */
  keepMs: number;
  /** Keys in memory; what was used longest ago leaves first. */
  capacity: number;
  /** How old an answer may be when it is used, in milliseconds. */
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

/** Answers that arrive too late are asked for again this often. */
const tries = 3;

/**
 * Asks the database at most once in `keepMs` for each key. Ages count from before the question was sent: an answer that lay unread while the
 * process was stopped is not used, however late its asker comes to it.
 */
export function openBriefCache<Value>(options: BriefCacheOptions<Value>): BriefCache<Value> {
  const { read, keepMs, capacity, maxAgeMs = configurationMaxAge } = options;
  const kept = new LRUCache<string, Answer<Value>>({ max: capacity });
  const find = (key: string): Answer<Value> => {
    const known = kept.get(key);
    if (known && performance.now() - known.since <= Math.min(keepMs, maxAgeMs)) return known;
    const asked = { since: performance.now(), value: read(key) };
    kept.set(key, asked);
    asked.value.catch(() => {
      if (kept.peek(key) === asked) kept.delete(key);
    });
    return asked;
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
