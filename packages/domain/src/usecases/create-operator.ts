import type { Domain } from './domain.ts';
import { hashToken } from './operator-of-token.ts';

export const roles = ['viewer', 'support', 'operator', 'finance', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Creates an operator; one that exists keeps its id and gets these roles. */
export async function createOperator(
  domain: Domain,
  operator: { operatorId: string; name: string; roles: Role[] },
): Promise<void> {
  await domain.database.pool.query(
    `insert into operator (operator_id, name, roles) values ($1, $2, $3)
     on conflict (operator_id) do update set name = excluded.name, roles = excluded.roles`,
    [operator.operatorId, operator.name, operator.roles],
  );
}

/** Lets an operator in with `token` (made by `makeToken`), until `expiresAt` where that is given; only its hash is kept. */
export async function addOperatorToken(
  domain: Domain,
  operatorId: string,
  token: string,
  expiresAt: Date | null = null,
): Promise<void> {
  await domain.database.pool.query(
    'insert into operator_token (token_hash, operator_id, expires_at) values ($1, $2, $3) on conflict do nothing',
    [hashToken(token), operatorId, expiresAt],
  );
}

/** A new token from 32 random bytes: `tgo_` and 43 characters. */
export function makeToken(random: Uint8Array): string {
  return `tgo_${Buffer.from(random).toString('base64url')}`;
}
