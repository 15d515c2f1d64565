import type pg from 'pg';
import { every } from '../boundary/guarded.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { openLookUp } from '../database/look-up.ts';
import { openBriefCache } from './brief-cache.ts';
import { operatorsOfTokens, writeTokenUses } from './queries.ts';

/** Operators by their tokens. Each token is read at most once a second. */
export interface Operators {
  /**
   * The operator of a token's hash; null if it is unknown, expired, revoked, or of a disabled operator. Its last use is
   * recorded.
   */
  ofToken(tokenHash: string): Promise<OperatorContext | null>;
  /** Makes this process see its own change at once. Other processes see it within a second. */
  clearCache(): void;
  close(): Promise<void>;
}

export interface OperatorsAccess {
  operators: Operators;
}

const keptFor = 1_000;
const writeEvery = 2_000;
/** Unknown tokens are cached for their second too. */
const capacity = 10_000;

export function openOperators(pool: pg.Pool, onError: (error: unknown) => void): Operators {
  const used = new Set<string>();
  const write = async (): Promise<void> => {
    if (used.size === 0) return;
    const hashes = [...used];
    used.clear();
    await pool.query(writeTokenUses, [hashes]).catch(onError);
  };
  let writing: Promise<void> = Promise.resolve();
  const writeNext = (): void => {
    writing = writing.then(write).catch(onError);
  };
  const timer = every(writeEvery, writeNext, onError);
  timer.unref();

  const kept = openBriefCache<OperatorContext | null>({
    keepMs: keptFor,
    capacity,
    read: openLookUp<OperatorContext>(async (hashes) => {
      const query = { ...operatorsOfTokens, values: [hashes] };
      const { rows } = await pool.query<OperatorContext & { tokenHash: string }>(query);
      return new Map(rows.map(({ tokenHash, ...operator }) => [tokenHash, operator]));
    }),
  });
  return {
    async ofToken(tokenHash) {
      const operator = await kept.get(tokenHash);
      if (operator) used.add(tokenHash);
      return operator;
    },
    clearCache: () => kept.clear(),
    async close() {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}
