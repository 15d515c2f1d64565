import * as z from 'zod';
import { workOnTask } from '../../market/index.ts';
import { instant, orderNo, reference, text } from '../input-schemas.ts';
import { onOrder } from '../operation.ts';

// The task market of PK payouts.

const roles = ['operator'] as const;
const task = () => orderNo("The payout's order number.");
const provedAt = () => instant('Only the proof that was brought then; left out: whichever there is.').optional();

export const claimPayoutTask = onOrder({
  summary: "Take a task off the market, to pay it within the claim's time.",
  roles,
  isHalfOfTwo: true,
  input: z.strictObject({ orderNo: task() }),
  execute: ({ domain, by }, order) => workOnTask(domain, order, { type: 'claimTask' }, by),
});

export const giveBackPayoutTask = onOrder({
  summary: 'Put a task that you claimed back on the market.',
  roles,
  input: z.strictObject({ orderNo: task() }),
  execute: ({ domain, by }, order) => workOnTask(domain, order, { type: 'giveBackTask' }, by),
});

export const provePayoutTask = onOrder({
  summary: 'Say how a task that you claimed was paid; another operator judges it.',
  roles,
  isHalfOfTwo: true,
  input: z.strictObject({
    orderNo: task(),
    reference: reference("The payment's reference."),
    payer: text('From whose account it was paid.'),
    note: text('Anything else.').optional(),
  }),
  execute: ({ domain, by }, order, { reference, payer, note = null }) =>
    workOnTask(domain, order, { type: 'proveTask', proof: { reference, payer, note } }, by),
});

export const acceptProof = onOrder({
  summary: 'Accept the proof of a task: the payout completes. One who paid it needs a second operator.',
  roles,
  isHalfOfTwo: true,
  input: z.strictObject({ orderNo: task(), provedAt: provedAt() }),
  needsSecond: (_, { order, operatorId }) => order?.task?.proof != null && order.task.claimedBy === operatorId,
  // The second operator judges this proof, and no other that is brought until then.
  pin: (input, { order }) => ({ ...input, provedAt: order?.task?.proof?.at ?? input.provedAt }),
  execute: ({ domain, by }, order, { provedAt }) =>
    workOnTask(domain, order, { type: 'acceptProof', ...(provedAt !== undefined && { provedAt }) }, by),
});

export const rejectProof = onOrder({
  summary: "Reject the proof of another operator's task: they have to bring another.",
  roles,
  input: z.strictObject({ orderNo: task(), provedAt: provedAt() }),
  execute: ({ domain, by }, order, { provedAt }) =>
    workOnTask(domain, order, { type: 'rejectProof', ...(provedAt !== undefined && { provedAt }) }, by),
});
