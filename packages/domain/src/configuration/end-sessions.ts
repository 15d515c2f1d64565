import type { Outcome } from '../core/rejection.ts';
import { OperatorSession } from '../database/entities/access.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration, platformTenant } from '../ledger/index.ts';
import { sessionIdOf } from './begin-session.ts';

/** Ends one session of the console, with an audit record. session_not_found where it ended before. */
export function endSession(domain: ChangeAccess, operatorId: string, sessionHash: string): Promise<Outcome<null>> {
  const by = { actor: operatorId, approver: null, reason: 'signed out of the console' };
  return changeConfiguration(domain, { tenant: platformTenant, change: 'signOut' }, by, async (within) => {
    const em = within.database.unitOfWork();
    const session = await em.findOne(OperatorSession, { sessionHash, operator: operatorId });
    if (!session) return { ok: false, rejection: 'session_not_found' };
    await em.remove(session).flush();
    const before = { sessionId: sessionIdOf(sessionHash) };
    return { ok: true, value: { subject: operatorId, before, after: null, value: null } };
  });
}

/** Ends all sessions of an operator, on every device, with one audit record. Resolves to how many there were. */
export function endAllSessions(domain: ChangeAccess, operatorId: string): Promise<Outcome<number>> {
  const by = { actor: operatorId, approver: null, reason: 'signed out of the console everywhere' };
  return changeConfiguration<number>(
    domain,
    { tenant: platformTenant, change: 'signOutEverywhere' },
    by,
    async (within) => {
      const ended = await deleteSessions(within, operatorId);
      return { ok: true, value: { subject: operatorId, before: { sessions: ended }, after: null, value: ended } };
    },
  );
}

/**
 * Deletes the sessions of an operator. So no session becomes valid again when the operator or the identity is enabled
 * again.
 */
export async function deleteSessions(within: ChangeTransaction, operatorId: string): Promise<number> {
  const em = within.database.unitOfWork();
  const sessions = await em.find(OperatorSession, { operator: operatorId });
  for (const session of sessions) em.remove(session);
  await em.flush();
  return sessions.length;
}
