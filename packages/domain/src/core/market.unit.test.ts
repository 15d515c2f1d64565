import { expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { inWords } from '../testing/in-words.ts';
import { aNewOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import type { Command } from './commands.ts';
import type { OperatorCommand } from './operator-commands.ts';

// The task market of PK: a payout's story as a row of steps by operators a and b, and what each step came to.

const lease = 30 * 60_000;
const order = aNewOrder('PK', 'payout', { mode: 'market' });
const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
const proof = { reference: 'UTR-1', payer: 'a', note: null };

const created = (mode: 'market' | 'upstream'): Given =>
  given(aWallet('PK', { available: '1000.00' })).when({ type: 'createPayout', order: { ...order, mode } });

/** `a claims`, `b gives back`, `the worker ends it` … */
function stepOf(text: string): OperatorCommand {
  const [who = '', ...what] = text.split(' ');
  const by = { actor: who, approver: null, reason: 'a test' };
  const operators: Record<string, OperatorCommand> = {
    claims: { type: 'claimTask', ref, lease, by },
    'gives back': { type: 'endClaim', ref, by },
    'gives back with c': { type: 'endClaim', ref, by: { ...by, approver: 'c' } },
    'gives back with a': { type: 'endClaim', ref, by: { ...by, approver: 'a' } },
    'proves another': { type: 'proveTask', ref, proof: { ...proof, reference: 'UTR-2' }, by },
    'proves with c': { type: 'proveTask', ref, proof, by: { ...by, approver: 'c' } },
    'proves another with c': {
      type: 'proveTask',
      ref,
      proof: { ...proof, reference: 'UTR-2' },
      by: { ...by, approver: 'c' },
    },
    proves: { type: 'proveTask', ref, proof, by },
    accepts: { type: 'acceptProof', ref, lease, by },
    rejects: { type: 'rejectProof', ref, lease, by },
    cancels: { type: 'cancelOrder', ref, confirmedBy: 'nothing_sent', by },
    'cancels by channel': { type: 'cancelOrder', ref, confirmedBy: 'channel', by },
    resolves: { type: 'resolvePayout', ref, outcome: 'paid', evidence: 'seen', by: { ...by, approver: 'c' } },
  };
  const step = operators[what.join(' ')];
  if (!step) throw new Error(`what is ${text}?`);
  return step;
}

const steps: Record<string, Command> = {
  'worker looks': { type: 'claimWork', ref, action: 'expire', lease: 25_000 },
  'worker ends': { type: 'endClaim', ref, by: null },
};

/**
 * Runs the steps one after the other. Returns the result of each, and the last state. `worker` expires the claim at its
 * time.
 */
function runStory(story: readonly string[]): { last: Given; answers: string[] } {
  let last = created('market');
  let now = noon;
  const answers = story.map((text) => {
    now += text === 'time passes' ? 1000 + lease : 1000;
    if (text === 'time passes') return 'ok';
    last = last.when(steps[text] ?? stepOf(text), at(now));
    return last.refusal ?? 'ok';
  });
  return { last, answers };
}

const expired = ['time passes', 'worker looks', 'worker ends'];

// biome-ignore format: a table of stories
const stories: [steps: string[], answers: string, status: string][] = [
  [['a claims'], 'ok', 'processing'],
  [['a claims', 'b claims'], 'ok task_not_available', 'processing'],
  [['a claims', 'a claims'], 'ok task_not_available', 'processing'],
  [['a claims', 'a gives back'], 'ok ok', 'market_available'],
  [['a claims', 'b gives back'], 'ok not_your_task', 'processing'],
  [['a claims', 'a gives back', 'a gives back'], 'ok ok task_not_available', 'market_available'],
  [['a claims', 'a gives back', 'b claims', 'a gives back'], 'ok ok ok not_your_task', 'processing'],
  [['a gives back'], 'task_not_available', 'market_available'],
  [['a proves'], 'task_not_available', 'market_available'],
  [['a accepts'], 'proof_missing', 'market_available'],
  [['a rejects'], 'proof_missing', 'market_available'],
  [['a claims', 'b proves'], 'ok not_your_task', 'processing'],
  [['a claims', 'b accepts'], 'ok proof_missing', 'processing'],
  [['a claims', 'b rejects'], 'ok proof_missing', 'processing'],
  [['a claims', 'a proves'], 'ok ok', 'processing'],
  [['a claims', 'a proves', 'a proves'], 'ok ok proof_pending', 'processing'],
  [['a claims', 'a proves', 'a gives back'], 'ok ok proof_pending', 'processing'],
  [['a claims', 'a proves', 'b gives back'], 'ok ok not_your_task', 'processing'],
  [['a claims', 'a proves', 'a accepts'], 'ok ok second_operator_needed', 'processing'],
  [['a claims', 'a proves', 'a rejects'], 'ok ok second_operator_needed', 'processing'],
  [['a claims', 'a proves', 'b claims'], 'ok ok task_not_available', 'processing'],
  [['a claims', 'a proves', 'b accepts'], 'ok ok ok', 'completed'],
  [['a claims', 'a proves', 'b accepts', 'b accepts'], 'ok ok ok proof_missing', 'completed'],
  [['a claims', 'a proves', 'b accepts', 'b rejects'], 'ok ok ok proof_missing', 'completed'],
  [['a claims', 'a proves', 'b accepts', 'a gives back'], 'ok ok ok task_not_available', 'completed'],
  [['a claims', 'a proves', 'b accepts', 'b claims'], 'ok ok ok task_not_available', 'completed'],
  [['a claims', 'a proves', 'b accepts', 'b cancels'], 'ok ok ok transition_impossible', 'completed'],
  [['a claims', 'a proves', 'b rejects', 'a proves', 'b accepts'], 'ok ok ok ok ok', 'completed'],
  [['a claims', 'a proves', 'b rejects', 'b accepts'], 'ok ok ok proof_missing', 'processing'],
  [['a claims', 'a proves', 'b rejects', 'a gives back'], 'ok ok ok ok', 'market_available'],
  [['a claims', 'worker looks', 'worker ends'], 'ok not_due not_due', 'processing'],
  // The claimant is asked before anybody else can claim it.
  [['a claims', ...expired], 'ok ok ok ok', 'processing'],
  [['a claims', ...expired, 'worker ends'], 'ok ok ok ok not_due', 'processing'],
  [['a claims', ...expired, 'b claims'], 'ok ok ok ok task_not_available', 'processing'],
  [['a claims', ...expired, 'b cancels'], 'ok ok ok ok task_claimed', 'processing'],
  [['a claims', ...expired, 'a proves', 'b claims'], 'ok ok ok ok ok task_not_available', 'processing'],
  [['a claims', ...expired, 'a proves', 'b accepts'], 'ok ok ok ok ok ok', 'completed'],
  [['a claims', ...expired, 'a gives back'], 'ok ok ok ok ok', 'market_available'],
  [['a claims', ...expired, 'a gives back', 'b claims'], 'ok ok ok ok ok ok', 'processing'],
  // Two others may say for the claimant that nothing was paid, the claimant among them.
  [['a claims', ...expired, 'b gives back'], 'ok ok ok ok second_operator_needed', 'processing'],
  [['a claims', ...expired, 'b gives back with c'], 'ok ok ok ok ok', 'market_available'],
  [['a claims', ...expired, 'b gives back with a'], 'ok ok ok ok ok', 'market_available'],
  [['a claims', 'b gives back with c'], 'ok not_your_task', 'processing'],
  [['a claims', ...expired, 'a proves', 'b gives back with c'], 'ok ok ok ok ok not_your_task', 'processing'],
  // A late proof of a task that nobody else has.
  [['a claims', 'a gives back', 'a proves'], 'ok ok ok', 'processing'],
  [['a claims', 'a gives back', 'a proves', 'b accepts'], 'ok ok ok ok', 'completed'],
  [['a claims', 'a gives back', 'b proves'], 'ok ok task_not_available', 'market_available'],
  [['a claims', 'a proves', ...expired], 'ok ok ok not_due proof_pending', 'processing'],
  [['a claims', 'a proves', 'b rejects', ...expired], 'ok ok ok ok ok ok', 'processing'],
  // The claimant is quicker than the worker that found the claim run out.
  [['a claims', 'time passes', 'worker looks', 'a proves', 'worker ends'], 'ok ok ok ok proof_pending', 'processing'],
  [['a claims', 'time passes', 'worker looks', 'a gives back', 'b claims', 'worker ends'], 'ok ok ok ok ok not_due', 'processing'],
  [['a claims', 'time passes', 'worker looks', 'a proves', 'b rejects', 'worker ends'], 'ok ok ok ok ok not_due', 'processing'],
  [['b cancels'], 'ok', 'cancelled'],
  [['b cancels', 'a claims'], 'ok task_not_available', 'cancelled'],
  [['b cancels', 'b cancels'], 'ok transition_impossible', 'cancelled'],
  [['a claims', 'b cancels'], 'ok task_claimed', 'processing'],
  [['a claims', 'b cancels by channel'], 'ok task_claimed', 'processing'],
  [['a claims', 'a proves', 'b cancels'], 'ok ok task_claimed', 'processing'],
  [['a claims', 'a gives back', 'b cancels'], 'ok ok ok', 'cancelled'],
  [['a claims', 'b resolves'], 'ok operation_not_available', 'processing'],
];

test.each(stories)('the steps %j answer %s and end as %s', (story, answers, status) => {
  const { last, answers: actual } = runStory(story);
  expect(actual.join(' ')).toBe(answers);
  expect(last.order.status).toBe(status);
  const moved = inWords(last).filter((line) => / > /.test(line) && line !== 'available > frozen 102.50');
  const ends: Record<string, string[]> = {
    completed: ['frozen > channel:fake 100.00', 'frozen > fee_revenue 2.50'],
    cancelled: ['frozen > available 102.50'],
  };
  expect(moved).toEqual(ends[status] ?? []);
  const frozen = status === 'completed' || status === 'cancelled' ? '0.00' : '102.50';
  expect(last.state.wallet.frozen).toBe(frozen);
  expect(last.order.task === null).toBe(status === 'market_available' || status === 'cancelled');
  // Exactly the decisions that had an effect have an audit record.
  const decided = actual.filter((answer, i) => answer === 'ok' && !/^(time|worker) /.test(story[i] ?? ''));
  expect(all(last.events, 'record').map(({ auditNo }) => auditNo)).toEqual(decided.map((_, i) => i + 1));
});

test('a claim expires at the end of its lease; a proof and a free task do not expire', () => {
  const next = (...story: string[]): unknown => {
    const { nextAction, nextActionAt } = runStory(story).last.order;
    return [nextAction, nextActionAt];
  };
  expect(next()).toEqual([null, null]);
  expect(next('a claims')).toEqual(['expire', noon + 1000 + lease]);
  expect(next('a claims', 'a proves')).toEqual([null, null]);
  expect(next('a claims', 'a proves', 'b rejects')).toEqual(['expire', noon + 3000 + lease]);
  expect(next('a claims', 'a gives back')).toEqual([null, null]);
  expect(next('a claims', 'a proves', 'b accepts')).toEqual([null, null]);
});

test('the history has the operator who claimed the task, and the operator who accepted the proof', () => {
  const { events } = runStory(['a claims', 'a proves', 'b accepts']).last;
  expect(all(events, 'transition').map(({ from, to, actor, detail }) => [from, to, actor, detail])).toEqual([
    ['new', 'created', 'merchant', null],
    ['created', 'market_available', 'market', null],
    ['market_available', 'processing', 'operator:a', null],
    ['processing', 'completed', 'operator:b', 'paid by a, reference UTR-1'],
  ]);
  expect(all(events, 'notification').map(({ status }) => status)).toEqual(['completed']);
});

const twice = ['a claims', 'a gives back', 'b claims', 'a proves with c'];

test('a late proof of a task that another operator has becomes a case, and nobody pays it once more', () => {
  const { last, answers } = runStory(twice);
  expect(answers).toEqual(['ok', 'ok', 'ok', 'ok']);
  expect(last.order).toMatchObject({ status: 'processing', task: { claimedBy: 'b', proof: null } });
  expect(all(last.events, 'payment')).toMatchObject([{ reference: 'UTR-1', amount: '100.00', use: 'unasked' }]);
  expect(all(last.events, 'opened')).toMatchObject([
    { kind: 'payout_paid_again', amount: '100.00', reference: 'UTR-1' },
  ]);
  const after = (...more: string[]): string[] => runStory([...twice, ...more]).answers.slice(twice.length);
  expect(after('a proves')).toEqual(['proof_reference_used']);
  expect(after('b gives back', 'c claims', 'c cancels')).toEqual(['ok', 'money_left', 'money_left']);
  expect(after('b proves another', 'c accepts')).toEqual(['ok', 'ok']);
});

test('no operator alone books what they paid under an earlier claim', () => {
  const alone = runStory(['a claims', 'a gives back', 'b claims', 'a proves']);
  expect(alone.answers.at(-1)).toBe('second_operator_needed');
  expect(all(alone.last.events, 'transfer').filter(({ cause }) => cause === 'suspense_out')).toEqual([]);
});

test('a late proof of a payout that ended is a case too', () => {
  const { last } = runStory([
    'a claims',
    'a gives back',
    'b claims',
    'b proves',
    'c accepts',
    'a proves another with c',
  ]);
  expect(last.refusal).toBeNull();
  expect(last.order.status).toBe('completed');
  expect(all(last.events, 'opened')).toMatchObject([{ kind: 'payout_paid_again', reference: 'UTR-2' }]);
});

test('two operators resolve a free task by evidence if money has left for it, and only then', () => {
  const free = runStory([...twice, 'b gives back', 'd resolves']).last;
  expect(free.refusal).toBeNull();
  expect(free.order.status).toBe('completed');
  expect(all(free.events, 'closed')).toMatchObject([{ caseNo: 1, state: 'credited' }]);
  expect(free.state.wallet.frozen).toBe('0.00');
  runStory([...twice, 'd resolves']).last.gives('task_claimed');
  runStory(['d resolves']).last.gives('operation_not_available');
});

test('a payout through a channel has no task', () => {
  for (const step of ['a claims', 'a gives back', 'a proves', 'b accepts', 'b rejects'])
    created('upstream').when(stepOf(step)).gives('operation_not_available');
});

test('the history says whether a claim ended by its operator or by its expiry', () => {
  const ends = (...story: string[]) =>
    all(runStory(story).last.events, 'transition').flatMap(({ trigger, actor, detail }) =>
      trigger === 'claim_ended' || trigger === 'claimant_asked' ? [[actor, detail]] : [],
    );
  expect(ends('a claims', 'a gives back')).toEqual([['operator:a', null]]);
  expect(ends('a claims', ...expired)).toEqual([['market', 'the claim expired: a is asked']]);
});

test('if a worker ends a claim, the order stores the id of the command, because no audit record is written', () => {
  const claimed = runStory(['a claims', 'time passes', 'worker looks']).last;
  const now = at(noon + 3_000 + lease);
  expect(claimed.when({ ...(steps['worker ends'] as Command), id: 'id-1' }, now).order.commandId).toBe('id-1');
  expect(claimed.when(steps['worker ends'] as Command, now).order.commandId).toBeNull();
});

const proved = runStory(['a claims', 'a proves']).last;
const judge = (type: 'acceptProof' | 'rejectProof', by: object, provedAt?: number): Given =>
  proved.when({
    type,
    ref,
    lease,
    by: { actor: 'b', approver: null, reason: 'a test', ...by },
    ...(provedAt !== undefined && { provedAt }),
  });

test.each(['acceptProof', 'rejectProof'] as const)(
  '%s refers to the proof that the operator saw, not to a newer one',
  (type) => {
    expect(judge(type, {}, noon + 2_000).refusal).toBeNull();
    judge(type, {}, noon + 1_999).gives('proof_missing');
  },
);

test.each<[actor: string, approver: string | null, isAccepted: boolean]>([
  ['b', null, true],
  ['b', 'c', true],
  ['b', 'a', false],
  ['a', null, false],
  ['a', 'a', false],
  ['a', 'b', true],
])(
  'an operator cannot accept their own proof: requested by %s, approved by %s, accepted: %s',
  (actor, approver, isAccepted) => {
    expect(judge('acceptProof', { actor, approver }).refusal).toBe(isAccepted ? null : 'second_operator_needed');
  },
);
