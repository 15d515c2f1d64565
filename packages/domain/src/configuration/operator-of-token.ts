import { hash } from 'node:crypto';
import type { OperatorContext } from '../core/operator-rights.ts';
import type { OperatorsAccess } from './operators.ts';

/** The stored form of a token: its SHA-256. Tokens are random, so a plain hash cannot be reversed by guessing. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

/**
 * The operator of a token; null for a token that is unknown, expired, revoked, or of a disabled operator. Changes by
 * other processes are seen within a second.
 */
export async function operatorOfToken(domain: OperatorsAccess, token: string): Promise<OperatorContext | null> {
  return /^tgo_[A-Za-z0-9_-]{43}$/.test(token) ? domain.operators.ofToken(hashToken(token)) : null;
}
