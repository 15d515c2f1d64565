import { createHash } from 'node:crypto';
import type { Domain } from './domain.ts';

export interface OperatorIdentity {
  operatorId: string;
  roles: string[];
}

/** How a token is kept: only its SHA-256 is. Tokens are random, so that a plain hash cannot be guessed back. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Whose token this is; null for one that is unknown, expired, revoked, or of a disabled operator. */
export async function operatorOfToken(domain: Domain, token: string): Promise<OperatorIdentity | null> {
  if (!/^tgo_[A-Za-z0-9_-]{43}$/.test(token)) return null;
  const { rows } = await domain.database.pool.query<OperatorIdentity>({
    name: 'operator-of-token',
    text: tokenSql,
    values: [hashToken(token)],
  });
  return rows[0] ?? null;
}

const tokenSql = `select o.operator_id as "operatorId", o.roles from operator_token t join operator o using (operator_id)
  where t.token_hash = $1 and o.enabled and t.revoked_at is null and (t.expires_at is null or t.expires_at > clock_timestamp())`;
