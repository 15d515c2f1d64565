import type { DirectoryAccess } from '../configuration/index.ts';
import { type Approval, objectsOf } from '../core/approval.ts';
import { mayAccess, type OperatorContext } from '../core/operator-rights.ts';
import type { FieldProblem, Outcome, Refused } from '../core/rejection.ts';
import type { LedgerReadAccess } from '../ledger/index.ts';
import { approvalById, makeApprovalId } from './approvals.ts';
import { executeApproval, problemOfApprover } from './approve.ts';
import { effectNow } from './effect-now.ts';
import { findFacts, ownerOf, problemOfAffected } from './find-facts.ts';
import { keepInput } from './kept-input.ts';
import { withLastChange } from './last-change.ts';
import {
  type AnyOperation,
  type Facts,
  isAboutVersion,
  keepsExpectedVersion,
  type OperationAccess,
  type ReadInput,
} from './operation.ts';
import { isForTwo, platformOnly, problemOfRole } from './operation-rules.ts';
import { type OperationName, type OperationValue, operationOf } from './operations.ts';
import { problemOfGrant } from './problem-of-grant.ts';
import { reasonProblem } from './reason.ts';
import { mayUseChannelOf } from './rights-now.ts';
import { problemOfSignIn } from './sign-in.ts';
import { loadWaitingRequests, refusedBecauseOf } from './waiting-requests.ts';

/** The result of a request: executed, or pending until a second operator approves. */
export type Requested<T> =
  | { ok: true; state: 'executed'; value: T }
  | { ok: true; state: 'pending'; approval: Approval }
  | Refused;

export interface RequestOptions {
  /** A second operator who agrees at once. */
  approver?: OperatorContext | undefined;
  /**
   * The version of the row that the operator saw; `new`: there was none. If it has another one now, nothing is done:
   * version_outdated. For configuration that is checked again when a second operator approves. Left out: then it is the
   * version at the request.
   */
  expectedVersion?: string | undefined;
}

/**
 * Executes an operation if the operator's roles and restrictions allow it. If a second operator is needed, it is stored
 * as an approval instead. With `approver`, a second operator who approves at once, it is executed in the same call.
 * `input` comes from a client, so every field is checked. Anything outside the operator's restriction counts as not
 * found. If another operator was first, the refusal says who and when.
 */
export async function requestOperation<N extends OperationName>(
  domain: OperationAccess,
  operator: OperatorContext,
  name: N,
  input: unknown,
  reason: string,
  { approver, expectedVersion }: RequestOptions = {},
): Promise<Requested<OperationValue<N>>> {
  const prepared = await prepare(domain, operator, name, input, reason);
  if (!prepared.ok) return prepared;
  const { operation, parsed, facts } = prepared.value;
  const alone = await executeAlone(domain, operator, prepared.value, { reason: reason.trim(), expectedVersion });
  if (alone !== 'needs_second') {
    if (alone.ok) return { ok: true, state: 'executed', value: alone.value as OperationValue<N> };
    return withLastChange(domain, alone, { tenant: facts.tenant, subject: operation.subject(parsed) });
  }
  const signInProblem = await problemOfSignIn(domain, operator);
  if (signInProblem) return signInProblem;
  const request = { operation, requestedBy: operator.operatorId, facts, input: parsed };
  const refusal = approver && (await problemOfApprover(domain, approver, request));
  if (refusal) return refusal;
  const seen = keepsExpectedVersion(operation) ? expectedVersion : undefined;
  const kept = await keep(domain, operator, name, { operation, parsed, facts }, { reason: reason.trim(), seen });
  if (!kept.ok || !approver) return kept.ok ? { ok: true, state: 'pending', approval: kept.value } : kept;
  const done = await executeApproval(domain, approver, kept.value, { operation, facts, input: parsed });
  return done.ok ? { ok: true, state: 'executed', value: done.value as OperationValue<N> } : done;
}

/**
 * Executes an operation that needs no second operator. Others are only tried and rolled back, so that a request that
 * cannot succeed is refused at once, not at its approval.
 */
async function executeAlone(
  domain: OperationAccess,
  { operatorId, tokenId, signIn }: OperatorContext,
  { operation, parsed, facts }: Prepared,
  { reason, expectedVersion }: { reason: string; expectedVersion: string | undefined },
): Promise<Outcome<unknown> | 'needs_second'> {
  const signInProblem = operation.needsApprovalSignIn ? await problemOfSignIn(domain, { signIn }) : null;
  if (signInProblem) return signInProblem;
  const request = { ...facts, operatorId };
  const problem = operation.problem?.(parsed, request);
  if (problem) return problem;
  const needsSecond = operation.needsSecond?.(parsed, request) ?? false;
  const decision = {
    actor: operatorId,
    approver: null,
    reason,
    ...(expectedVersion !== undefined && { expectedVersion }),
  };
  const by = needsSecond === true ? { ...decision, rehearsal: true as const } : decision;
  const done = await operation.execute({ domain, by, tokenId }, parsed, facts);
  if (isForTwo(needsSecond, done.ok ? null : done.rejection)) return 'needs_second';
  return done;
}

interface Prepared {
  operation: AnyOperation;
  /** Read by the operation's schema. */
  parsed: ReadInput;
  facts: Facts;
}

async function prepare(
  domain: LedgerReadAccess & DirectoryAccess,
  operator: OperatorContext,
  name: string,
  input: unknown,
  reason: string,
): Promise<Outcome<Prepared>> {
  const operation = operationOf(name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  const unentitled = problemOfRole(operator, operation);
  if (unentitled) return unentitled;
  const read = operation.input.safeParse(input);
  const problems = [...(read.success ? [] : read.error.issues.map(problemOf)), ...reasonProblem(reason)];
  if (!read.success || problems.length > 0) return { ok: false, rejection: 'invalid_input', fields: problems };
  const parsed = read.data;
  const ungranted = await problemOfGrant(domain, operator.roles, { operation, input: parsed });
  if (ungranted) return ungranted;
  const about = operation.about(parsed);
  const facts = await findFacts(domain, about);
  if (!facts.ok) return facts;
  if (mayAccess(operator, ownerOf(facts.value))) {
    if (!(await mayUseChannelOf(domain, operator, { operation, input: parsed })))
      return { ok: false, rejection: 'channel_not_found' };
    const problem = await problemOfAffected(domain, operator, operation, parsed);
    return problem ?? { ok: true, value: { operation, parsed, facts: facts.value } };
  }
  switch (about.kind) {
    case 'order':
      return { ok: false, rejection: 'order_not_found' };
    case 'tenant':
      return { ok: false, rejection: about.absent };
    case 'merchant':
      return { ok: false, rejection: 'merchant_not_found' };
    case 'new_merchant':
    case 'platform':
      return platformOnly;
    default:
      return about satisfies never;
  }
}

/** An unknown field is reported by its own path, not by the path of its object. */
function problemOf(issue: { path: PropertyKey[]; message: string; code: string; keys?: string[] }): FieldProblem {
  const { path, message, code, keys = [] } = issue;
  if (code === 'unrecognized_keys') return { path: [...path, ...keys].map(String).join('.'), reason: 'is not known' };
  return { path: path.map(String).join('.'), reason: message };
}

async function keep(
  domain: OperationAccess,
  { operatorId }: OperatorContext,
  name: string,
  { operation, parsed, facts }: Prepared,
  { reason, seen }: { reason: string; seen: string | undefined },
): Promise<Outcome<Approval>> {
  const approvalId = makeApprovalId();
  const pinned = (await operation.pin?.(parsed, facts, domain)) ?? parsed;
  const { input, secrets } = keepInput(domain, operation, approvalId, pinned);
  const about = { subject: operation.subject(parsed), alsoSubjects: operation.alsoSubjects?.(parsed) ?? [] };
  const effect = await effectNow(
    domain,
    { operation, facts, input: pinned },
    {
      actor: operatorId,
      reason,
      ...(seen !== undefined && { expectedVersion: seen }),
    },
  );
  if (!effect.ok) return effect;
  const { text, version } = effect.value;
  const requestedFor = seen ?? (isAboutVersion(operation) ? version : null);
  const kept = await domain.commit({
    type: 'requestApproval',
    merchantId: facts.tenant,
    approvalId,
    operation: name,
    ...about,
    input,
    secrets: secrets && `\\x${secrets.toString('hex')}`,
    effect: text,
    lifetime: domain.approvalLifetime,
    by: {
      actor: operatorId,
      approver: null,
      reason,
      ...(requestedFor !== null && { expectedVersion: requestedFor }),
    },
  });
  if (!kept.ok && kept.rejection === 'approval_waits') {
    const named = objectsOf(about).map((subject) => ({ tenant: facts.tenant, subject }));
    const waiting = await loadWaitingRequests(domain, named);
    return refusedBecauseOf(named.map(waiting.about).find((one) => one !== null) ?? null);
  }
  if (!kept.ok) return kept;
  const value = await approvalById(domain, approvalId);
  if (!value) throw new Error(`approval ${approvalId} no longer exists`);
  return { ok: true, value };
}
