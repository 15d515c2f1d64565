import { defineCommand } from '../command.ts';
import { actOnTask, taskField } from '../task.ts';

export const acceptProof = defineCommand({
  name: 'accept-proof',
  group: 'Tasks',
  summary: 'accept the proof of a task that another operator paid: the payout completes',
  kind: 'change',
  role: 'operator',
  fields: { orderNo: taskField },
  run: (context, { orderNo }) =>
    actOnTask(
      context,
      orderNo,
      { type: 'acceptProof' },
      `The proof of ${orderNo} is accepted: the payout is completed.`,
    ),
});
