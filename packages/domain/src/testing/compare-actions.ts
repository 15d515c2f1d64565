import { allowedActions } from '../approvals/actions/allowed-actions.ts';
import { type ActionName, type AllowedAction, type Noun, workActions } from '../approvals/actions/noun.ts';
import { workItemOf } from '../approvals/actions/work-actions.ts';
import { approve } from '../approvals/approve.ts';
import { reject } from '../approvals/reject.ts';
import { requestOperation } from '../approvals/request-operation.ts';
import { withdraw } from '../approvals/withdraw.ts';
import type { Approval } from '../core/approval.ts';
import { type OperatorContext, roles } from '../core/operator-rights.ts';
import type { Domain } from '../open-domain.ts';
import { addNote } from '../work/add-note.ts';
import { assignWork, isAssignable, releaseWork, takeWork } from '../work/assign-work.ts';
import { inputsFor } from './action-inputs.ts';
import { anOperator } from './operators.ts';

// What `allowedActions` says, and what the mutations answer.

type NamedOperator = [name: string, operator: OperatorContext];

/** An operator of each role, one who is restricted, and one who signs in otherwise. */
export async function operatorsOfEachRole(domain: Domain): Promise<NamedOperator[]> {
  const ofRoles = roles.map(async (role): Promise<NamedOperator> => [role, await anOperator(domain, [role])]);
  return [
    ...(await Promise.all(ofRoles)),
    ['one who is restricted to the country', await anOperator(domain, roles, { countries: ['PK'] })],
    ['one with another sign-in', { ...(await anOperator(domain, roles)), signIn: 'oidc' }],
  ];
}

/**
 * A line for each operator and action: the expected answer of its mutation, and the actual one. The object is
 * made again after each change.
 * `merchantId`: who is credited where a case has no merchant.
 */
export async function compareActions(
  domain: Domain,
  operators: readonly NamedOperator[],
  state: string,
  make: (caller: OperatorContext) => Promise<Noun>,
  merchantId: string,
): Promise<{ expected: string[]; actual: string[] }> {
  const [expected, actual]: [string[], string[]] = [[], []];
  for (const [who, caller] of operators) {
    if (who.startsWith('one ') && !statesForAll.includes(state)) continue;
    let noun = await make(caller);
    const [all = []] = await allowedActions(domain, caller, [noun]);
    const actions = all.filter(({ name }) => (isWork(name) ? statesOfWork.test(state) : !/taken/.test(state)));
    for (const action of actions) {
      const answer = await answerOf(domain, caller, action, noun, merchantId);
      const what = action.way === null ? action.name : `${action.name} ${action.way}`;
      expected.push(`${who}: ${what} ${expectedAnswer(action, noun)}`);
      actual.push(`${who}: ${what} ${answer}`);
      if (answer === 'executed' || answer === 'pending') noun = await make(caller);
    }
  }
  return { expected, actual };
}

/** What the mutation answers: `executed`, `pending` or the first refusal of its inputs. */
async function answerOf(
  domain: Domain,
  caller: OperatorContext,
  action: AllowedAction,
  noun: Noun,
  merchantId: string,
): Promise<string> {
  const { name } = action;
  if (noun.type === 'approval') return decisionOf(domain, caller, name, noun.approval);
  const item = workItemOf(noun);
  if (item && name === 'addNote') return wordOf(await addNote(domain, caller, item, 'a note'));
  if (item && isAssignable(item) && isWork(name)) {
    if (name === 'assignWork') return wordOf(await assignWork(domain, caller, item, caller.operatorId));
    return wordOf(await (name === 'takeWork' ? takeWork : releaseWork)(domain, caller, item));
  }
  let first: string | undefined;
  for (const input of inputsFor(action, noun, merchantId)) {
    const done = await requestOperation(domain, caller, name as 'cancelOrder', input, 'a test');
    if (done.ok && done.state === 'pending') return compareWhileItWaits(domain, caller, action, noun, done.approval);
    if (done.ok) return done.state;
    first ??= done.rejection;
  }
  return first ?? 'no input';
}

/** Mutations whose input says which part of the object they are about. So the object alone does not say whether a request waits. */
const ofParts: readonly ActionName[] = ['addMerchantKey', 'mapBank', 'setFeeRule', 'setRoute'];

/**
 * While a request waits, its action is not allowed on the object, and says so. Then the request is withdrawn, so that the next one about the object can
 * wait.
 */
async function compareWhileItWaits(
  domain: Domain,
  caller: OperatorContext,
  { name, way }: AllowedAction,
  noun: Noun,
  { approvalId }: Approval,
): Promise<string> {
  const [now = []] = await allowedActions(domain, caller, [noun]);
  const refused = now.find((one) => one.name === name && one.way === way)?.refused ?? null;
  const isOfPart =
    noun.type === 'wallet' || (ofParts.includes(name) && noun.type !== 'fee_rule' && noun.type !== 'route');
  const isRight = isOfPart ? refused === null : refused?.rejection === 'approval_waits';
  await withdraw(domain, caller, approvalId, 'a test');
  return isRight ? 'pending' : `pending, and then ${refused?.rejection ?? 'allowed'}`;
}

const isWork = (name: ActionName): boolean => (workActions as readonly ActionName[]).includes(name);

function wordOf(done: { ok: true } | { ok: false; rejection: string }): string {
  return done.ok ? 'executed' : done.rejection;
}

/** The answer of the mutation that decides an approval. */
async function decisionOf(
  domain: Domain,
  caller: OperatorContext,
  name: ActionName,
  { approvalId, state }: Approval,
): Promise<string> {
  const decided =
    name === 'approve'
      ? await approve(domain, caller, approvalId)
      : await (name === 'reject' ? reject : withdraw)(domain, caller, approvalId, 'a test');
  const isOver = state !== 'pending' && name !== 'withdraw' && !decided.ok;
  return isOver ? 'refused' : wordOf(decided);
}

function expectedAnswer({ refused, needsApproval }: AllowedAction, noun: Noun): string {
  // What is over is refused as such, also to those who could not have decided it.
  if (refused?.rejection === 'approval_decided' && noun.type === 'approval') return 'refused';
  return refused?.rejection ?? (needsApproval ? 'pending' : 'executed');
}

/** The state of work is that of the assignment alone, so that a few nouns are enough. */
const statesOfWork = /taken|^an available task|^the case of a late payment$|^an active merchant/;

/** Each kind of rule once, for those who have every role but are restricted, or signed in otherwise. */
const statesForAll = [
  'an accepted payout',
  'an available task',
  "another one's proven task",
  'a key',
  'an enabled channel',
  'an operator',
];
