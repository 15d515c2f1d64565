import type { Currency } from '../../core/country.ts';
import { Money } from '../../core/money.ts';
import { mayAccess, type OperatorContext } from '../../core/operator-rights.ts';
import type { Refused } from '../../core/rejection.ts';
import { platformTenant, withinLimit } from '../../ledger/index.ts';
import { ownerOf } from '../find-facts.ts';
import type { AnyOperation, Facts, ReadInput, Subject } from '../operation.ts';
import { isForTwo, platformOnly, problemOfRole } from '../operation-rules.ts';
import { operations } from '../operations.ts';
import { refusedBecauseOf } from '../waiting-requests.ts';
import { type ActionAccess, type ActionContext, loadActionContext } from './action-context.ts';
import { actionsOfApproval, type DecidesApprovals } from './approval-actions.ts';
import { candidatesOf } from './candidates.ts';
import type { AllowedAction, Candidate, Noun } from './noun.ts';
import { hasName, nameOf } from './noun-name.ts';
import { tryCommand } from './try-command.ts';
import { actionsOfWork, workItemOf } from './work-actions.ts';

/**
 * What an operator may do with each of these nouns now, and why not where they may not. The nouns are those that the operator
 * may see. Each operation is checked as `requestOperation` does it: by the same roles, rules and decisions of the ledger writer.
 * What does not apply to a kind of noun is not listed.
 */
export async function allowedActions(
  domain: ActionAccess & DecidesApprovals,
  operator: OperatorContext,
  nouns: readonly Noun[],
): Promise<AllowedAction[][]> {
  const context = await loadActionContext(domain, operator, nouns);
  return Promise.all(
    nouns.map(async (noun) => {
      if (noun.type === 'approval') return actionsOfApproval(domain, operator, noun.approval);
      const decisions = candidatesOf(noun, context).flatMap(
        (candidate) => judge(operator, noun, candidate, context) ?? [],
      );
      const item = workItemOf(noun);
      return item ? [...decisions, ...actionsOfWork(operator, item, context.assignmentOf(item))] : decisions;
    }),
  );
}

type Decidable = Exclude<Noun, { type: 'approval' }>;

/**
 * The action of a candidate. Of its possible inputs the first allowed one counts, then one that a waiting request holds up. Null: the operation does not apply to
 * this object.
 */
function judge(
  operator: OperatorContext,
  noun: Decidable,
  candidate: Candidate,
  context: ActionContext,
): AllowedAction | null {
  const checked = candidate.inputs.map((input) => checkInput(operator, noun, candidate, input, context));
  const best =
    checked.find(({ refused }) => refused === null) ??
    checked.find(({ refused }) => refused?.rejection === 'approval_waits') ??
    checked[0];
  if (!best || checked.every(({ applies }) => !applies)) return null;
  const { name, way = null } = candidate;
  const { roles }: AnyOperation = operations[name];
  const { refused, needsApproval, approvalAbove } = best;
  return {
    name,
    refused,
    needsApproval,
    approverRoles: needsApproval || approvalAbove !== null ? roles : [],
    way,
    approvalAbove,
  };
}

interface Judged extends Pick<AllowedAction, 'refused' | 'needsApproval' | 'approvalAbove'> {
  applies: boolean;
}

function checkInput(
  operator: OperatorContext,
  noun: Decidable,
  candidate: Candidate,
  input: ReadInput,
  context: ActionContext,
): Judged {
  const operation: AnyOperation = operations[candidate.name];
  const { operatorId } = operator;
  const facts = factsOf(noun, context);
  const request = { ...facts, operatorId };
  const needsSecond = operation.needsSecond?.(input, request) ?? false;
  const impossible =
    candidate.refused ?? operation.problem?.(input, request) ?? tryOut(operator, noun, operation, input, context);
  const forTwo = isForTwo(needsSecond, impossible?.rejection ?? null);
  const refused =
    problemOfRole(operator, operation) ??
    problemOfRestriction(operator, facts) ??
    (operation.needsApprovalSignIn || forTwo ? context.signInProblem : null) ??
    (forTwo ? problemOfWaiting(noun, candidate, context) : impossible);
  return {
    refused,
    applies: impossible?.rejection !== 'operation_not_available',
    needsApproval: refused === null && forTwo,
    approvalAbove: needsSecond === 'above_limit' ? leftOfLimit(noun, context) : null,
  };
}

/** The refusal of a request while another one about the same object waits. */
function problemOfWaiting(noun: Decidable, { subject }: Candidate, { waiting }: ActionContext): Refused | null {
  if (subject === null || !hasName(noun)) return null;
  const named = nameOf(noun);
  const found = waiting.about({ ...named, subject: subject ?? named.subject });
  return found && refusedBecauseOf(found);
}

/** The object is within the restriction of the operator. So only operations on the whole platform are refused here. */
function problemOfRestriction(operator: OperatorContext, facts: Facts): Refused | null {
  return facts.tenant !== platformTenant || mayAccess(operator, ownerOf(facts)) ? null : platformOnly;
}

/**
 * The refusal of the ledger writer for the command of the operation. Null: it would accept the command, or the
 * operation has none.
 */
function tryOut(
  operator: OperatorContext,
  noun: Decidable,
  operation: AnyOperation,
  input: ReadInput,
  context: ActionContext,
): Refused | null {
  if (!operation.trial) return null;
  const subject = subjectOf(noun, context);
  const by = withinLimit(context, { actor: operator.operatorId, approver: null, reason: 'trial' });
  const currency = currencyOf(noun);
  const rejection = tryCommand(operation.trial(input, subject, by), {
    ...subject,
    currency,
    now: context.now,
    movedToday: context.movedToday.get(currency) ?? '0.00',
    ...(noun.type === 'wallet' && { balance: noun.wallet }),
  });
  return rejection && { ok: false, rejection };
}

function subjectOf(noun: Decidable, context: ActionContext): Subject {
  if (noun.type === 'order') return { order: noun.order, found: null };
  if (noun.type !== 'case') return { order: null, found: null };
  return { order: context.orders.get(`${noun.found.merchantId} ${noun.found.orderNo}`) ?? null, found: noun.found };
}

function factsOf(noun: Decidable, context: ActionContext): Facts {
  const { order } = subjectOf(noun, context);
  if (noun.type === 'channel' || noun.type === 'operator') return { tenant: platformTenant, country: null, order };
  return { tenant: tenantOf(noun), country: order?.country ?? null, order: noun.type === 'order' ? order : null };
}

function tenantOf(noun: Exclude<Decidable, { type: 'channel' | 'operator' }>): string {
  const { type: _, ...row } = noun;
  const [{ merchantId }] = Object.values(row) as [{ merchantId: string }];
  return merchantId;
}

function currencyOf(noun: Decidable): Currency {
  if (noun.type === 'order') return noun.order.currency;
  if (noun.type === 'wallet') return noun.wallet.currency;
  if (noun.type === 'case') return noun.found.currency as Currency;
  throw new Error(`a ${noun.type} has no currency`);
}

/** The amount that the operator may still move alone today, in the currency of the object. */
function leftOfLimit(noun: Decidable, { approvalLimit, movedToday }: ActionContext): string {
  const currency = currencyOf(noun);
  const left = Money.of(approvalLimit, currency).minus(Money.of(movedToday.get(currency) ?? '0.00', currency));
  return left.isNegative() ? '0.00' : left.toString();
}
