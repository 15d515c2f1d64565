import { OperatorToken } from '../database/entities/access.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import type { ChangeTransaction } from '../ledger/index.ts';
import { hashToken } from './operator-of-token.ts';
import { tokenIdLength } from './queries.ts';

/** The id of a token: the beginning of its hash. The token itself is never shown again. */
export function tokenIdOf(token: string): string {
  return hashToken(token).slice(0, tokenIdLength);
}

/**
 * Revokes an operator's token of this id, or all tokens with null. Never revokes the token `except`, the caller's own,
 * so that callers do not lock themselves out. Returns the ids of the revoked tokens.
 */
export async function revokeTokens(
  within: ChangeTransaction,
  operatorId: string,
  tokenId: string | null,
  except: string | null,
): Promise<string[]> {
  const em = within.database.unitOfWork();
  const valid = await em.find(OperatorToken, { operator: operatorId, revokedAt: null });
  const named = valid.map((token) => ({ token, id: token.tokenHash.slice(0, tokenIdLength) }));
  const ended = named.filter(({ id }) => id !== except && (tokenId === null || id === tokenId));
  const now = await databaseNow(em);
  for (const { token } of ended) token.revokedAt = now;
  await em.flush();
  return ended.map(({ id }) => id);
}
