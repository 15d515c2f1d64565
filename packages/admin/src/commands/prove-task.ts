import { defineCommand } from '../command.ts';
import { optional, required } from '../fields.ts';
import { reference, text } from '../readers.ts';
import { actOnTask, taskField } from '../task.ts';

export const proveTask = defineCommand({
  name: 'prove-task',
  group: 'Tasks',
  summary: 'say how a task that you claimed was paid; another operator judges it',
  kind: 'change',
  role: 'operator',
  fields: {
    orderNo: taskField,
    reference: required('--reference <reference>', "the payment's reference", reference),
    payer: required('--payer <payer>', 'from whose account it was paid', text),
    note: optional('--note <text>', 'anything else', text),
  },
  run: (context, { orderNo, reference, payer, note = null }) =>
    actOnTask(
      context,
      orderNo,
      { type: 'proveTask', proof: { reference, payer, note } },
      `Task ${orderNo} has a proof: another operator has to accept it.`,
    ),
});
