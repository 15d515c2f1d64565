import { hasRole, mayTouch, type OperatorContext } from '../../core/operator-rights.ts';
import type { Outcome, Refused } from '../../core/rejection.ts';
import { changeConfiguration } from '../change-configuration.ts';
import type { Domain } from '../domain.ts';
import { findOperator, type OperatorView } from '../find-operator.ts';
import { type ApprovalView, approvalById, closeApproval } from './approvals.ts';
import { belongs, findFacts, problemOfLead } from './find-facts.ts';
import type { About, AnyOperation, Facts } from './operation.ts';
import type { CreatedToken } from './operations/operators.ts';
import { operationOf } from './operations.ts';

/**
 * Agrees, as the second operator, to what another one asked for, and does it. The approval is used up in the very transaction that
 * does it: of two who approve at once one does, and a crash leaves either both or neither. What is then refused by what it is about
 * (too little money, say) ends the approval as failed. To approve again what one has approved gives it as it is.
 * Refusals: approval_not_found, own_approval, forbidden, asker_disabled, approval_decided, approval_expired, approval_outdated, and those of
 * the operation.
 */
export async function approve(
  domain: Domain,
  operator: OperatorContext,
  approvalId: string,
): Promise<Outcome<Approved>> {
  const found = await findToDecide(domain, operator, approvalId);
  if (!found.ok) return found;
  const { approval, ...about } = found.value;
  const done = await carryOut(domain, operator, approval, about);
  const value = (await approvalById(domain, approvalId)) ?? approval;
  // Also whose own answer got lost, or who asked twice at once.
  const isMine = value.state === 'executed' && value.decidedBy === operator.operatorId;
  if (done.ok) return { ok: true, value: { ...value, gave: done.value } };
  return isMine ? { ok: true, value } : done;
}

/** An approval, and what its operation gave to whoever approved it: this once, for it can be a token. */
export interface Approved extends ApprovalView {
  gave?: unknown;
}

/** The token that an approval has just made, if it was one for a token: nobody ever sees it again. */
export function tokenOf({ operation, gave }: Approved): string | null {
  const made = operation === 'createOperatorToken' ? (gave as Partial<CreatedToken> | undefined) : undefined;
  return made?.token ?? null;
}

interface ToDecide {
  operation: AnyOperation;
  facts: Facts;
}

/** An approval and what it is about, if this operator may decide it; also used by whoever rejects. */
export async function findToDecide(
  domain: Domain,
  operator: OperatorContext,
  approvalId: string,
): Promise<Outcome<ToDecide & { approval: ApprovalView }>> {
  const approval = await approvalById(domain, approvalId);
  const operation = approval && operationOf(approval.operation);
  if (!approval || !operation) return { ok: false, rejection: 'approval_not_found' };
  // What cannot be looked up, or read, any more can still be rejected by those who see all of its tenant.
  const read = operation.input.safeParse(approval.input);
  const about: About = read.success
    ? operation.about(read.data as never)
    : { kind: 'tenant', merchantId: approval.merchantId, absent: 'case_not_found' };
  const found = await findFacts(domain, about);
  const facts = found.ok ? found.value : { tenant: approval.merchantId, country: null, order: null };
  const refusal = approvedBy(operator, { operation, askedBy: approval.askedBy, facts });
  return refusal ?? { ok: true, value: { approval, operation, facts } };
}

/** Why an operator cannot be the second one; undefined where they can. Whoever could have asked may approve, but whoever asked. */
export function approvedBy(
  operator: OperatorContext,
  { operation, askedBy, facts }: ToDecide & { askedBy: string },
): Refused | undefined {
  if (!mayTouch(operator, belongs(facts))) return { ok: false, rejection: 'approval_not_found' };
  if (!hasRole(operator, operation.roles))
    return {
      ok: false,
      rejection: 'forbidden',
      detail: `${operator.operatorId} lacks the role ${operation.roles.join(' or ')}`,
    };
  return operator.operatorId === askedBy
    ? { ok: false, rejection: 'own_approval', detail: `${askedBy} asked for it` }
    : undefined;
}

/** Does what an approval asks for, with `approver` as the second operator; gives what the operation gives. */
export async function carryOut(
  domain: Domain,
  operator: OperatorContext,
  approval: ApprovalView,
  { operation, facts }: ToDecide,
): Promise<Outcome<unknown>> {
  const { approvalId, askedBy, reason, state } = approval;
  const approver = operator.operatorId;
  if (state !== 'pending') return decided(approval);
  const asker = await findOperator(domain, askedBy);
  if (!asker || !mayStillAsk(asker, operation, facts))
    return { ok: false, rejection: 'asker_disabled', detail: `${askedBy} may not ask for it any more` };
  const by = { actor: askedBy, approver, reason, approvalId };
  const read = operation.input.safeParse(approval.input);
  // What a version before this one has kept: it can still be rejected.
  if (!read.success) return { ok: false, rejection: 'approval_outdated' };
  for (const one of [operator, asker]) {
    const problem = await problemOfLead(domain, one, operation, read.data);
    if (problem) return problem;
  }
  const done = await operation.execute({ domain, by, tokenId: null }, read.data as never, facts);
  if (done.ok) return done;
  if (done.rejection === 'approval_decided' || done.rejection === 'approval_expired')
    return decided((await approvalById(domain, approvalId)) ?? approval);
  const failed = await fail(domain, approval, approver, done);
  return failed.ok ? done : failed;
}

/** Whoever asked has to be one who could ask now. The roles of an identity provider's operators come with their tokens alone. */
function mayStillAsk(asker: OperatorView, operation: AnyOperation, facts: Facts): boolean {
  const hasItsRole = asker.externalId !== null || hasRole(asker, operation.roles);
  return asker.enabled && hasItsRole && mayTouch(asker, belongs(facts));
}

/** Ends an approval whose operation was refused; it can be asked for anew. */
function fail(
  domain: Domain,
  approval: ApprovalView,
  approver: string,
  { rejection, detail }: Refused,
): Promise<Outcome<null>> {
  const { approvalId, askedBy, merchantId, reason } = approval;
  const outcome = detail === undefined ? rejection : `${rejection}: ${detail}`;
  const by = { actor: askedBy, approver, reason };
  return changeConfiguration(domain, { tenant: merchantId, change: 'failApproval' }, by, async (within) => {
    const closed = await closeApproval(within, approval, 'failed', approver, outcome.slice(0, 500));
    if (!closed) return decided((await approvalById(within, approvalId)) ?? approval);
    return { ok: true, value: { subject: approvalId, after: { outcome }, value: null } };
  });
}

/** What to tell whoever comes too late. */
export function decided({ approvalId, state, decidedBy }: ApprovalView): Refused {
  if (state === 'expired')
    return { ok: false, rejection: 'approval_expired', detail: `the time of ${approvalId} is over: ask for it again` };
  return { ok: false, rejection: 'approval_decided', detail: `${approvalId} was ${state} by ${decidedBy}` };
}
