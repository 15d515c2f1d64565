import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorContext } from '../core/operator-rights.ts';
import type { Outcome } from '../core/rejection.ts';
import { timeText } from '../core/time-text.ts';
import { Operator, OperatorSession, OperatorToken } from '../database/entities/access.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import { type ChangeAccess, changeConfiguration, platformTenant } from '../ledger/index.ts';
import { tokenIdLength } from './queries.ts';

/** Sessions that one operator can have at once; a further one ends the oldest. */
const maxOfOperator = 20;
/** Sessions that are over and deleted when another one begins. */
const maxPurged = 100;

/**
 * The sign-in of a session: the hash of a token of the service, or the identity of the operator. The session ends when
 * this sign-in is no longer valid.
 */
export type SessionOrigin = { tokenHash: string } | 'identity';

export interface NewSession {
  sessionHash: string;
  operator: Pick<OperatorContext, 'operatorId'>;
  origin: SessionOrigin;
  /** How long it lasts at most, in ms. */
  lastsMs: number;
}

/**
 * Begins a session of the console, with an audit record. It never lasts longer than its token. Resolves to when it ends,
 * in Unix ms; operator_not_found, token_not_found, identity_not_found.
 */
export function beginSession(domain: ChangeAccess, session: NewSession): Promise<Outcome<{ expiresAt: number }>> {
  const { operatorId } = session.operator;
  const by = { actor: operatorId, approver: null, reason: 'signed in to the console' };
  const where = { tenant: platformTenant, change: 'signIn' };
  return changeConfiguration<{ expiresAt: number }>(domain, where, by, async (within) => {
    const em = within.database.unitOfWork();
    const operator = await em.findOne(Operator, operatorId);
    if (!operator?.enabled) return { ok: false, rejection: 'operator_not_found' };
    const now = await databaseNow(em);
    let end = now.getTime() + session.lastsMs;
    const row = { sessionHash: session.sessionHash, operator, tokenHash: null, externalId: null };
    if (session.origin === 'identity') {
      if (operator.externalId == null) return { ok: false, rejection: 'identity_not_found' };
      Object.assign(row, { externalId: operator.externalId });
    } else {
      const { tokenHash } = session.origin;
      const token = await em.findOne(OperatorToken, { tokenHash, operator: operatorId, revokedAt: null });
      if (!token) return { ok: false, rejection: 'token_not_found' };
      end = Math.min(end, token.expiresAt?.getTime() ?? end);
      Object.assign(row, { tokenHash });
    }
    await makeRoom(em, operatorId, now);
    const created = em.create(OperatorSession, { ...row, createdAt: now, lastUsedAt: now, expiresAt: new Date(end) });
    await em.persist(created).flush();
    const signIn = session.origin === 'identity' ? 'oidc' : 'token';
    const after = { sessionId: sessionIdOf(session.sessionHash), signIn, expiresAt: timeText(end) };
    return { ok: true, value: { subject: operatorId, before: null, after, value: { expiresAt: end } } };
  });
}

/** The name of a session in records: the beginning of its hash. */
export function sessionIdOf(sessionHash: string): string {
  return sessionHash.slice(0, tokenIdLength);
}

/** Deletes sessions that are over, and the operator's oldest where there are too many. */
async function makeRoom(em: EntityManager, operatorId: string, now: Date): Promise<void> {
  const over = await em.find(
    OperatorSession,
    { expiresAt: { $lte: now } },
    { orderBy: { expiresAt: 'asc' }, limit: maxPurged },
  );
  const own = await em.find(OperatorSession, { operator: operatorId }, { orderBy: { createdAt: 'desc' } });
  for (const session of new Set([...over, ...own.slice(maxOfOperator - 1)])) em.remove(session);
  await em.flush();
}
