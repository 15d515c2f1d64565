import { expect, test } from 'vitest';
import { aDraft, aNewOrder, at, aWallet, noon } from '../testing/on-paper.ts';
import { inWords } from '../testing/tell.ts';
import { decide } from './decide.ts';
import type { Draft } from './draft.ts';
import type { OperatorCommand } from './operator-commands.ts';
import { createPayout } from './payout.ts';

// The task market of PK: a payout's story as a row of steps by operators a and b, and what each step came to.

const lease = 30 * 60_000;
const order = aNewOrder('PK', 'payout', { mode: 'market' });
const ref = { merchantId: order.merchantId, orderNo: order.orderNo };
const proof = { reference: 'UTR-1', payer: 'a', note: null };

function listed(): Draft {
  const draft = aDraft(aWallet('PK', { available: '1000.00' }));
  if (createPayout(draft, { type: 'createPayout', order }, at(noon))) throw new Error('not created');
  return draft;
}

/** `a claims`, `b gives back`, `the worker ends it` … */
function stepOf(text: string): OperatorCommand {
  const [who = '', ...what] = text.split(' ');
  const by = { actor: who, approver: null, reason: 'a test' };
  const steps: Record<string, OperatorCommand> = {
    claims: { type: 'claimTask', ref, lease, by },
    'gives back': { type: 'endClaim', ref, by },
    proves: { type: 'proveTask', ref, proof, by },
    accepts: { type: 'acceptProof', ref, lease, by },
    rejects: { type: 'rejectProof', ref, lease, by },
    cancels: { type: 'cancelOrder', ref, confirmedBy: 'nothing_sent', by },
    'cancels by channel': { type: 'cancelOrder', ref, confirmedBy: 'channel', by },
    resolves: { type: 'resolvePayout', ref, outcome: 'paid', evidence: 'seen', by: { ...by, approver: 'c' } },
  };
  const step = steps[what.join(' ')];
  if (!step) throw new Error(`what is ${text}?`);
  return step;
}

/** Takes the steps one after the other; gives what each came to, and the draft. `worker` expires the claim at its time. */
function tellStory(steps: readonly string[]): { draft: Draft; answers: string[] } {
  const draft = listed();
  let now = noon;
  const answers = steps.map((text) => {
    now += 1000;
    if (text === 'time passes') {
      now += lease;
      return 'ok';
    }
    if (text === 'worker looks')
      return decide(draft, { type: 'claimWork', ref, action: 'expire', lease: 25_000 }, null, at(now)) ?? 'ok';
    const command: OperatorCommand = text === 'worker ends' ? { type: 'endClaim', ref, by: null } : stepOf(text);
    const before = JSON.stringify(draft);
    const refusal = decide(draft, command, null, at(now));
    // Who is refused has changed nothing.
    if (refusal !== null) expect(JSON.stringify(draft)).toBe(before);
    return refusal ?? 'ok';
  });
  return { draft, answers };
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
  [['a claims', ...expired], 'ok ok ok ok', 'market_available'],
  [['a claims', ...expired, 'worker ends'], 'ok ok ok ok task_not_available', 'market_available'],
  [['a claims', ...expired, 'a proves', 'b claims'], 'ok ok ok ok task_not_available ok', 'processing'],
  [['a claims', 'a proves', ...expired], 'ok ok ok not_due proof_pending', 'processing'],
  [['a claims', 'a proves', 'b rejects', ...expired], 'ok ok ok ok ok ok', 'market_available'],
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

test.each(stories)('%j: %s, %s', (steps, answers, status) => {
  const { draft, answers: got } = tellStory(steps);
  expect(got.join(' ')).toBe(answers);
  expect(draft.order?.status).toBe(status);
  const moved = inWords(draft).filter((line) => / > /.test(line) && line !== 'available > frozen 102.50');
  const ends: Record<string, string[]> = {
    completed: ['frozen > channel:fake 100.00', 'frozen > fee_revenue 2.50'],
    cancelled: ['frozen > available 102.50'],
  };
  expect(moved).toEqual(ends[status] ?? []);
  const frozen = status === 'completed' || status === 'cancelled' ? '0.00' : '102.50';
  expect(draft.wallet.frozen).toBe(frozen);
  expect(draft.order?.task === null).toBe(status === 'market_available' || status === 'cancelled');
  // Every decision that was taken is on record, and no other.
  const decided = got.filter((answer, i) => answer === 'ok' && !/^(time|worker) /.test(steps[i] ?? ''));
  expect(draft.added.audits.map(({ auditNo }) => auditNo)).toEqual(decided.map((_, i) => i + 1));
});

test('a claim waits for its lease to run out, a proof for its judge, a task for nobody', () => {
  const next = (...steps: string[]): unknown => {
    const { order: now } = tellStory(steps).draft;
    return [now?.nextAction, now?.nextActionAt];
  };
  expect(next()).toEqual([null, null]);
  expect(next('a claims')).toEqual(['expire', noon + 1000 + lease]);
  expect(next('a claims', 'a proves')).toEqual([null, null]);
  expect(next('a claims', 'a proves', 'b rejects')).toEqual(['expire', noon + 3000 + lease]);
  expect(next('a claims', 'a gives back')).toEqual([null, null]);
  expect(next('a claims', 'a proves', 'b accepts')).toEqual([null, null]);
});

test('history names who claimed, and who accepted whose proof', () => {
  const { draft } = tellStory(['a claims', 'a proves', 'b accepts']);
  expect(draft.added.transitions.map(({ from, to, actor, detail }) => [from, to, actor, detail])).toEqual([
    ['new', 'created', 'merchant', null],
    ['created', 'market_available', 'market', null],
    ['market_available', 'processing', 'operator:a', null],
    ['processing', 'completed', 'operator:b', 'paid by a, reference UTR-1'],
  ]);
  expect(draft.added.notifications.map(({ status }) => status)).toEqual(['completed']);
});

test('a payout that goes through a channel has no task', () => {
  const draft = aDraft(aWallet('PK', { available: '1000.00' }));
  createPayout(draft, { type: 'createPayout', order: { ...order, mode: 'upstream' } }, at(noon));
  for (const step of ['a claims', 'a gives back', 'a proves', 'b accepts', 'b rejects'])
    expect(decide(draft, stepOf(step), null, at(noon))).toBe('operation_not_available');
});
