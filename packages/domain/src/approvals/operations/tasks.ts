import * as z from 'zod';
import { taskCommand, workOnTask } from '../../market/index.ts';
import { instant, orderNo, paymentReference, text } from '../input-schemas.ts';
import { onOrder } from '../operation.ts';

// The task market of PK payouts.

const roles = ['operator'] as const;
const task = () => orderNo("The payout's order number.");
const provedAt = () =>
  instant(
    'Time of the proof that you review. If the operator has sent another proof since, the request is refused. Default: the current proof.',
  ).optional();

export const claimPayoutTask = onOrder({
  summary: 'Claim a payout task. Pay it before the claim expires.',
  roles,
  needsApprovalSignIn: true,
  input: z.strictObject({ orderNo: task() }),
  trial: (order, _, by) => taskCommand(order, { type: 'claimTask' }, by),
  execute: ({ domain, by }, order) => workOnTask(domain, order, { type: 'claimTask' }, by),
});

export const giveBackPayoutTask = onOrder({
  summary:
    'Return a task that you claimed, and have not paid, to the market. After the claim of another operator ran out, two operators can return it.',
  title: () => 'Return the task to the market',
  roles,
  input: z.strictObject({ orderNo: task() }),
  needsSecond: (_, { order, operatorId }) => order?.task?.askedAt !== undefined && order.task.claimedBy !== operatorId,
  trial: (order, _, by) => taskCommand(order, { type: 'giveBackTask' }, by),
  execute: ({ domain, by }, order) => workOnTask(domain, order, { type: 'giveBackTask' }, by),
});

export const provePayoutTask = onOrder({
  summary:
    'Submit the proof of payment for a task that you claimed. Another operator reviews it. If the task is not yours any more, the payment becomes a case, which needs a second operator.',
  title: () => 'Submit the proof of a lost task',
  roles,
  needsApprovalSignIn: true,
  input: z.strictObject({
    orderNo: task(),
    reference: paymentReference('Reference of the payment.'),
    payer: text('Owner of the paying account.'),
    note: text('Further remarks.').optional(),
  }),
  // Only what becomes a case, which the ledger refuses for one operator.
  needsSecond: () => 'above_limit',
  trial: (order, { reference, payer, note = null }, by) =>
    taskCommand(order, { type: 'proveTask', proof: { reference, payer, note } }, by),
  execute: ({ domain, by }, order, { reference, payer, note = null }) =>
    workOnTask(domain, order, { type: 'proveTask', proof: { reference, payer, note } }, by),
});

export const acceptProof = onOrder({
  summary: 'Accept the proof of a task, which completes the payout. The operator who paid it needs a second operator.',
  title: () => 'Accept the proof',
  roles,
  needsApprovalSignIn: true,
  input: z.strictObject({ orderNo: task(), provedAt: provedAt() }),
  needsSecond: (_, { order, operatorId }) => order?.task?.proof != null && order.task.claimedBy === operatorId,
  // The second operator decides on this proof, not on a later one.
  pin: (input, { order }) => ({ ...input, provedAt: order?.task?.proof?.at ?? input.provedAt }),
  trial: (order, _, by) => taskCommand(order, { type: 'acceptProof' }, by),
  execute: ({ domain, by }, order, { provedAt }) =>
    workOnTask(domain, order, { type: 'acceptProof', ...(provedAt !== undefined && { provedAt }) }, by),
});

export const rejectProof = onOrder({
  summary: "Reject the proof of another operator's task. They must submit a new one.",
  roles,
  input: z.strictObject({ orderNo: task(), provedAt: provedAt() }),
  trial: (order, _, by) => taskCommand(order, { type: 'rejectProof' }, by),
  execute: ({ domain, by }, order, { provedAt }) =>
    workOnTask(domain, order, { type: 'rejectProof', ...(provedAt !== undefined && { provedAt }) }, by),
});
