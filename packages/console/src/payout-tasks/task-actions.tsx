import type { ReactNode } from 'react';
import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { allowedAction, blockedBy, SecondOperator } from '../actions/allowed.tsx';
import { orderStatusWords } from '../format/words.ts';
import {
  AcceptProofDocument,
  ClaimPayoutTaskDocument,
  GiveBackPayoutTaskDocument,
  ProvePayoutTaskDocument,
  RejectProofDocument,
} from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { FileField } from '../work/files.tsx';
import { stageOf, type TaskDetail, taskStageWords } from './task-state.ts';

type Step = 'claim' | 'giveBack' | 'prove' | 'proveLate' | 'accept' | 'reject';

/** What can be done with a task. What is not possible now says why. */
export function taskActions(task: TaskDetail): Record<Step, Action> {
  return {
    claim: claim(task),
    giveBack: giveBack(task),
    prove: prove(task),
    proveLate: proveLate(task),
    accept: accept(task),
    reject: reject(task),
  };
}

function whatItIs(task: TaskDetail, more: Readonly<Record<string, ReactNode>>) {
  const { orderNo, amount, currency, task: claimed } = task;
  return (
    <Before
      values={{
        Payout: <span className="mono">{orderNo}</span>,
        Amount: <Money amount={amount} currency={currency} />,
        State: <Status word={taskStageWords[stageOf(task)]} />,
        ...(claimed && { 'Claimed by': claimed.claimedBy }),
        ...more,
      }}
    />
  );
}

const willBe = (stage: keyof typeof taskStageWords) => ({ 'Will be': <Status word={taskStageWords[stage]} /> });

function claim(task: TaskDetail): Action {
  return defineAction({
    operation: 'claimPayoutTask',
    document: ClaimPayoutTaskDocument,
    label: 'Claim',
    subject: task.orderNo,
    before: whatItIs(task, willBe('claimed')),
    expectedVersion: task.version,
    toInput: () => ({ orderNo: task.orderNo }),
    after: () => 'The task is yours. Pay it before the time is over, then prove it.',
    blocked: blockedBy(task.actions, 'CLAIM_PAYOUT_TASK'),
  });
}

function giveBack(task: TaskDetail): Action {
  return defineAction({
    operation: 'giveBackPayoutTask',
    document: GiveBackPayoutTaskDocument,
    label: 'Give back',
    subject: task.orderNo,
    before: whatItIs(task, {
      'This says': 'Nothing was paid',
      ...willBe('available'),
      'Second operator': (
        <SecondOperator action={allowedAction(task.actions, 'GIVE_BACK_PAYOUT_TASK')} currency={task.currency} />
      ),
    }),
    expectedVersion: task.version,
    toInput: () => ({ orderNo: task.orderNo }),
    after: ({ order }) =>
      order ? 'The task is available to others again.' : 'Another operator has to approve that nothing was paid.',
    blocked: blockedBy(task.actions, 'GIVE_BACK_PAYOUT_TASK'),
  });
}

function prove(task: TaskDetail): Action {
  return defineAction({
    operation: 'provePayoutTask',
    document: ProvePayoutTaskDocument,
    label: 'Prove the payment',
    subject: task.orderNo,
    before: whatItIs(task, willBe('proven')),
    fields: [
      { name: 'reference', label: 'Bank reference' },
      { name: 'payer', label: 'Paid from' },
      { name: 'note', label: 'Note', kind: 'area' },
      {
        name: 'receipt',
        label: 'Receipt',
        kind: 'custom',
        render: ({ change }) => <FileField on={task.id} label="Add a receipt" onStored={change} />,
      },
    ],
    expectedVersion: task.version,
    toInput: ({ reference = '', payer = '', note = '' }) => ({
      orderNo: task.orderNo,
      reference: reference.trim(),
      payer: payer.trim(),
      ...(note.trim() !== '' && { note: note.trim() }),
    }),
    after: () => 'The proof waits for another operator to review it.',
    blocked: blockedBy(task.actions, 'PROVE_PAYOUT_TASK'),
  });
}

/** For the operator of an earlier claim. The service knows who that was, and refuses others. */
function proveLate(task: TaskDetail): Action {
  return {
    ...prove(task),
    label: 'I paid it under an earlier claim',
    before: whatItIs(task, {
      'This says':
        'You paid it. If another operator has the task, it becomes a case, and a second operator approves it',
    }),
    after: ({ order }) =>
      order
        ? 'The proof waits for another operator to review it.'
        : 'Another operator has to approve that this payment becomes a case.',
    blocked: null,
  };
}

function accept(task: TaskDetail): Action {
  const proof = task.task?.proof;
  return defineAction({
    operation: 'acceptProof',
    document: AcceptProofDocument,
    label: 'Accept the proof',
    subject: task.orderNo,
    before: whatItIs(task, {
      'Bank reference': <span className="mono">{proof?.reference}</span>,
      'Paid from': proof?.payer,
      'Will be': <Status word={orderStatusWords.COMPLETED} />,
      'Second operator': (
        <SecondOperator action={allowedAction(task.actions, 'ACCEPT_PROOF')} currency={task.currency} />
      ),
    }),
    expectedVersion: task.version,
    toInput: () => ({ orderNo: task.orderNo, ...(proof && { provedAt: proof.at }) }),
    after: () => 'The proof is accepted and the payout is completed.',
    blocked: blockedBy(task.actions, 'ACCEPT_PROOF'),
  });
}

function reject(task: TaskDetail): Action {
  const proof = task.task?.proof;
  return defineAction({
    operation: 'rejectProof',
    document: RejectProofDocument,
    label: 'Reject the proof',
    isDangerous: true,
    subject: task.orderNo,
    before: whatItIs(task, {
      'Bank reference': <span className="mono">{proof?.reference}</span>,
      'Paid from': proof?.payer,
      ...willBe('claimed'),
    }),
    expectedVersion: task.version,
    toInput: () => ({ orderNo: task.orderNo, ...(proof && { provedAt: proof.at }) }),
    after: () => 'The proof is rejected. The operator who claimed the task has to send another one.',
    blocked: blockedBy(task.actions, 'REJECT_PROOF'),
  });
}
