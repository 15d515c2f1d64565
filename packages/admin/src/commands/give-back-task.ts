import { defineCommand } from '../command.ts';
import { actOnTask, taskField } from '../task.ts';

export const giveBackTask = defineCommand({
  name: 'give-back-task',
  group: 'Tasks',
  summary: 'put a task that you claimed back on the market',
  kind: 'change',
  role: 'operator',
  fields: { orderNo: taskField },
  run: (context, { orderNo }) =>
    actOnTask(context, orderNo, { type: 'giveBackTask' }, `Task ${orderNo} is back on the market.`),
});
