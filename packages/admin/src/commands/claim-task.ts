import { defineCommand } from '../command.ts';
import { actOnTask, taskField } from '../task.ts';

export const claimTask = defineCommand({
  name: 'claim-task',
  group: 'Tasks',
  summary: "take a task off the market, to pay it within the claim's time",
  kind: 'change',
  role: 'operator',
  fields: { orderNo: taskField },
  run: (context, { orderNo }) =>
    actOnTask(context, orderNo, { type: 'claimTask' }, `Task ${orderNo} is yours: pay it, then prove-task.`),
});
