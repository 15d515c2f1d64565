import { defineCommand } from '../command.ts';
import { actOnTask, taskField } from '../task.ts';

export const rejectProof = defineCommand({
  name: 'reject-proof',
  group: 'Tasks',
  summary: "reject the proof of another operator's task: they have to bring another",
  kind: 'change',
  role: 'operator',
  fields: { orderNo: taskField },
  run: (context, { orderNo }) =>
    actOnTask(
      context,
      orderNo,
      { type: 'rejectProof' },
      `The proof of ${orderNo} is rejected: its operator has to bring another.`,
    ),
});
