import * as z from 'zod';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { Approval } from '../core/approval.ts';
import { truncateText } from '../core/channel-answer.ts';
import { mayAccess, type OperatorContext } from '../core/operator-rights.ts';
import type { OperatorRejection, Outcome, Refused } from '../core/rejection.ts';
import { versionOfApproval } from '../core/version.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { VaultAccess } from '../database/vault.ts';
import type { LedgerAccess, LedgerReadAccess } from '../ledger/index.ts';
import { approvalById } from './approvals.ts';
import { type EffectNow, effectNow } from './effect-now.ts';
import { findFacts, ownerOf, problemOfAffected } from './find-facts.ts';
import { openInput } from './kept-input.ts';
import { withLastChange } from './last-change.ts';
import { type About, type ApprovalRules, type OperationAccess, onPlatform, type ReadInput } from './operation.ts';
import { problemOfRole } from './operation-rules.ts';
import { operationOf } from './operations.ts';
import { hasRightsNow, mayUseChannelOf, type Target } from './rights-now.ts';
import { problemOfSignIn } from './sign-in.ts';

/**
 * Approves a pending request as the second operator, and executes it. The approval is consumed in the transaction of
 * the operation. So of two concurrent approvals one executes, and a crash leaves both or neither. A permanent refusal
 * ends the approval as failed. A temporary one, such as too little money, leaves it pending. Approving again returns
 * the same approval. Refusals: approval_not_found, own_approval, forbidden, sign_in_refused, asker_disabled,
 * approval_decided, approval_expired, approval_outdated, version_outdated, and those of the operation.
 */
export async function approve(
  domain: OperationAccess,
  operator: OperatorContext,
  approvalId: string,
  expectedVersion?: string,
): Promise<Outcome<Approval>> {
  const found = await findToDecide(domain, operator, approvalId);
  if (!found.ok) return found;
  const { approval, ...about } = found.value;
  const outdated = problemOfApprovalVersion(approval, expectedVersion);
  // If an operator repeats an approval, the answer is the same as the first time.
  if (outdated && approval.decidedBy !== operator.operatorId) return outdated;
  const done = await executeApproval(domain, operator, approval, about);
  const value = (await approvalById(domain, approvalId)) ?? approval;
  // Also after a lost answer, or two concurrent calls of the same operator.
  const isMine = value.state === 'executed' && value.decidedBy === operator.operatorId;
  return done.ok || isMine ? { ok: true, value } : done;
}

/** Replaces an operation that this version does not know. It cannot be executed, but admins can reject it. */
export const unknownOperation = onPlatform({
  summary: 'An operation of another version.',
  roles: ['admin'],
  input: z.strictObject({}).refine(() => false),
  subject: () => '',
  execute: () => Promise.reject(new Error('an operation of another version cannot be done')),
});

/** An approval and its target, if this operator may decide it. Used to approve and to reject. */
export async function findToDecide(
  domain: LedgerReadAccess & VaultAccess & DirectoryAccess & ApprovalRules,
  operator: OperatorContext,
  approvalId: string,
): Promise<Outcome<Requested & { approval: Approval }>> {
  const approval = await approvalById(domain, approvalId);
  if (!approval) return { ok: false, rejection: 'approval_not_found' };
  const target = await targetOf(domain, approval);
  const refusal = await problemOfApprover(domain, operator, { ...target, requestedBy: approval.requestedBy });
  return refusal ?? { ok: true, value: { approval, ...target } };
}

/** What an approval is about. Without an input: it cannot be read any more. */
export type Requested = Omit<Target, 'input'> & { input: ReadInput | null };

/** The operation of an approval, its input and its subject. */
export async function targetOf(
  domain: LedgerReadAccess & VaultAccess & DirectoryAccess,
  approval: Approval,
): Promise<Requested> {
  const operation = operationOf(approval.operation) ?? unknownOperation;
  // If its input or subject cannot be read any more, operators who see the whole tenant can still reject it.
  const read = operation.input.safeParse(await openInput(domain, operation, approval));
  const about: About = read.success
    ? operation.about(read.data)
    : { kind: 'tenant', merchantId: approval.merchantId, absent: 'case_not_found' };
  const found = await findFacts(domain, about);
  const facts = found.ok ? found.value : { tenant: approval.merchantId, country: null, order: null };
  return { operation, facts, input: read.success ? read.data : null };
}

/**
 * Why an operator cannot be the approver; undefined if they can. Everybody who may request an operation may approve it,
 * except the requester.
 */
export async function problemOfApprover(
  domain: DatabaseAccess & ApprovalRules,
  operator: OperatorContext,
  { operation, requestedBy, facts, input }: Requested & { requestedBy: string },
): Promise<Refused | undefined> {
  if (!mayAccess(operator, ownerOf(facts))) return { ok: false, rejection: 'approval_not_found' };
  if (input !== null && !(await mayUseChannelOf(domain, operator, { operation, input })))
    return { ok: false, rejection: 'approval_not_found' };
  const unentitled = problemOfRole(operator, operation);
  if (unentitled) return unentitled;
  if (operator.operatorId === requestedBy)
    return { ok: false, rejection: 'own_approval', detail: `${requestedBy} asked for it` };
  return (await problemOfSignIn(domain, operator)) ?? undefined;
}

/** Temporary reasons: the approval stays pending and can be approved later. */
export const temporary: readonly OperatorRejection[] = ['balance_insufficient', 'not_due', 'upstream_timeout'];

/** What an operator would execute with an approval, or why they cannot, whatever its operation says. */
export async function executableBy(
  domain: LedgerReadAccess & DirectoryAccess & ApprovalRules,
  operator: OperatorContext,
  approval: Approval,
  requested: Requested,
): Promise<Outcome<Target>> {
  const { operatorId: approver, tokenId } = operator;
  const found = await executableNow(domain, approval, requested);
  if (!found.ok) return found;
  const target = found.value;
  // Checked for both operators in the database, because their rights may have changed since they signed in.
  if (!(await hasRightsNow(domain, { operatorId: approver, tokenId }, target)))
    return { ok: false, rejection: 'forbidden', detail: `${approver} may no longer decide it` };
  return (await problemOfAffected(domain, operator, target.operation, target.input)) ?? found;
}

/** Executes an approved operation, with `operator` as the approver, and returns its result. */
export async function executeApproval(
  domain: OperationAccess,
  operator: OperatorContext,
  approval: Approval,
  requested: Requested,
): Promise<Outcome<unknown>> {
  const { approvalId, requestedBy, reason } = approval;
  const { operatorId: approver } = operator;
  const found = await executableBy(domain, operator, approval, requested);
  if (!found.ok) return found;
  const target = found.value;
  const { operation, facts, input } = target;
  const by = { actor: requestedBy, approver, reason, approvalId, ...versionSeen(approval) };
  const done = await operation.execute({ domain, by, tokenId: null }, input, facts);
  if (done.ok || temporary.includes(done.rejection)) return done;
  if (done.rejection === 'approval_decided' || done.rejection === 'approval_expired')
    return alreadyDecided((await approvalById(domain, approvalId)) ?? approval);
  const named = { tenant: facts.tenant, subject: operation.subject(input) };
  const effect = done.rejection === 'effect_changed' ? await effectNow(domain, target, by) : null;
  return (await fail(domain, approval, { approver, effect }, done)) ?? withLastChange(domain, done, named);
}

/** The version that the requester saw, or that there was at the request. What was changed since is not overwritten. */
export function versionSeen({ expectedVersion }: Approval): { expectedVersion?: string } {
  return expectedVersion === null ? {} : { expectedVersion };
}

/** What the approval would execute, or why no operator can execute it. */
export async function executableNow(
  domain: LedgerReadAccess & DirectoryAccess & ApprovalRules,
  approval: Approval,
  { operation, facts, input }: Requested,
): Promise<Outcome<Target>> {
  const { requestedBy, state } = approval;
  if (state !== 'pending') return alreadyDecided(approval);
  // Its operation changed since, or its secrets cannot be opened. It can still be rejected.
  if (input === null) return { ok: false, rejection: 'approval_outdated' };
  const target = { operation, facts, input };
  if (await hasRightsNow(domain, { operatorId: requestedBy, tokenId: null }, target, { isRequester: true }))
    return { ok: true, value: target };
  return { ok: false, rejection: 'asker_disabled', detail: `${requestedBy} may no longer request it` };
}

/** Closes an approval whose operation was refused. It can be requested again. */
async function fail(
  domain: LedgerAccess,
  approval: Approval,
  { approver, effect }: { approver: string; effect: Outcome<EffectNow> | null },
  { rejection, detail }: Refused,
): Promise<Refused | null> {
  const { approvalId, requestedBy, merchantId, reason } = approval;
  const outcome = truncateText(detail === undefined ? rejection : `${rejection}: ${detail}`, 500);
  const by = { actor: requestedBy, approver, reason };
  const now = effect?.ok && { effectNow: effect.value.text };
  const done = await domain.commit({ type: 'failApproval', merchantId, approvalId, outcome, ...now, by });
  return done.ok ? null : alreadyDecided((await approvalById(domain, approvalId)) ?? approval);
}

/** The refusal for an approval that is already decided or expired. */
export function alreadyDecided({ approvalId, state, decidedBy, decidedAt }: Approval): Refused {
  if (state === 'expired')
    return { ok: false, rejection: 'approval_expired', detail: `${approvalId} has expired: request it again` };
  const changed = decidedBy !== null && decidedAt !== null && { changed: { by: decidedBy, at: decidedAt } };
  return { ok: false, rejection: 'approval_decided', detail: `${approvalId} was ${state} by ${decidedBy}`, ...changed };
}

/** Why an approval differs from what the operator saw; null if it is the same. A decision is refused in its own transaction. */
export function problemOfApprovalVersion(approval: Approval, expected: string | undefined): Refused | null {
  if (expected === undefined || expected === versionOfApproval(approval)) return null;
  return approval.state === 'pending' ? { ok: false, rejection: 'version_outdated' } : alreadyDecided(approval);
}
