import { hash } from 'node:crypto';
import type { OperatorContext } from '../core/operator-rights.ts';
import type { OperatorsAccess } from './operators.ts';

/** How a token is kept: only its SHA-256 is. Tokens are random, so that a plain hash cannot be guessed back. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

/**
 * Whose token this is; null for one that is unknown, expired, revoked, or of a disabled operator. What another process changed of
 * it is known within a second.
 */
export async function operatorOfToken(domain: OperatorsAccess, token: string): Promise<OperatorContext | null> {
  return /^tgo_[A-Za-z0-9_-]{43}$/.test(token) ? domain.operators.ofToken(hashToken(token)) : null;
}
