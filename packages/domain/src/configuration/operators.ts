import type pg from 'pg';
import type { OperatorContext } from '../core/operator-rights.ts';
import { batchedLookups } from '../database/batched-lookups.ts';
import { openBriefCache } from './brief-cache.ts';

/** Who a token lets in, asked of the database at most once a second. */
export interface Operators {
  /** By the token's hash; null for one that is unknown, expired, revoked, or of a disabled operator. Its last use is kept. */
  ofToken(tokenHash: string): Promise<OperatorContext | null>;
  /** Lets what this process has just changed take effect at once. Others know it within a second. */
  forget(): void;
  close(): Promise<void>;
}

export interface OperatorsAccess {
  operators: Operators;
}

const keptFor = 1_000;
const writeEvery = 2_000;
/** Unknown tokens are kept too, for their second. */
const capacity = 10_000;

/** By what a token is named once nobody can see it any more: the beginning of its hash. */
export const tokenIdLength = 12;

export function openOperators(pool: pg.Pool, onError: (error: unknown) => void): Operators {
  const used = new Set<string>();
  const write = async (): Promise<void> => {
    if (used.size === 0) return;
    const hashes = [...used];
    used.clear();
    await pool.query(usedSql, [hashes]).catch(onError);
  };
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, writeEvery);
  timer.unref();

  const kept = openBriefCache<OperatorContext | null>({
    ...{ keepMs: keptFor, capacity },
    read: batchedLookups<OperatorContext>({
      ...{ perStatement: 500, maxWaiting: 5_000 },
      ask: async (hashes) => {
        const query = { name: 'operators-of-tokens', text: tokenSql, values: [hashes] };
        const { rows } = await pool.query<OperatorContext & { tokenHash: string }>(query);
        return new Map(rows.map(({ tokenHash, ...operator }) => [tokenHash, operator]));
      },
    }),
  });
  return {
    async ofToken(tokenHash) {
      const operator = await kept.get(tokenHash);
      if (operator) used.add(tokenHash);
      return operator;
    },
    forget: () => kept.clear(),
    async close() {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}

const tokenSql = `select o.operator_id as "operatorId", o.roles, o.countries, o.merchant_ids as "merchantIds",
    left(t.token_hash, ${tokenIdLength}) as "tokenId", t.token_hash as "tokenHash", 'token' as "signIn"
  from operator_token t join operator o using (operator_id)
  where t.token_hash = any($1::text[]) and o.enabled and t.revoked_at is null and (t.expires_at is null or t.expires_at > clock_timestamp())`;

const usedSql = 'update operator_token set last_used_at = clock_timestamp() where token_hash = any($1::text[])';
