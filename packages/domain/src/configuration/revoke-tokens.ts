import type { Within } from '../ledger/index.ts';
import { hashToken } from './operator-of-token.ts';
import { tokenIdLength } from './operators.ts';

/** By what a token is named once nobody can see it any more: the beginning of its hash. */
export function tokenIdOf(token: string): string {
  return hashToken(token).slice(0, tokenIdLength);
}

/**
 * Ends an operator's tokens at once: the one of this id, or all with null; never the one of the id `except` (that of whoever asks,
 * lest they lock themselves out). Gives the ids of those that were ended.
 */
export async function revokeTokens(
  within: Within,
  operatorId: string,
  tokenId: string | null,
  except: string | null,
): Promise<string[]> {
  const id = `left(token_hash, ${tokenIdLength})`;
  const { rows } = await within.database.pool.query<{ tokenId: string }>(
    `update operator_token set revoked_at = clock_timestamp()
     where operator_id = $1 and revoked_at is null and ${id} is distinct from $3 and ($2::text is null or ${id} = $2)
     returning ${id} as "tokenId"`,
    [operatorId, tokenId, except],
  );
  return rows.map((row) => row.tokenId);
}
