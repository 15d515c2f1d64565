import type { Domain } from './domain.ts';
import { hashToken } from './operator-of-token.ts';

const idLength = 12;

/** By what a token is named once nobody can see it any more: the beginning of its hash. */
export function tokenIdOf(token: string): string {
  return hashToken(token).slice(0, idLength);
}

/**
 * Ends an operator's tokens at once: the one of this id, or all with null; never `except` (the token of whoever asks, lest they
 * lock themselves out). Gives how many were ended.
 */
export async function revokeTokens(
  domain: Domain,
  operatorId: string,
  tokenId: string | null,
  except: string,
): Promise<number> {
  const { rowCount } = await domain.database.pool.query(
    `update operator_token set revoked_at = clock_timestamp()
     where operator_id = $1 and revoked_at is null and token_hash <> $3 and ($2::text is null or left(token_hash, ${idLength}) = $2)`,
    [operatorId, tokenId, hashToken(except)],
  );
  return rowCount ?? 0;
}
