import { pagePayoutTasks, unrestricted } from '@tidegate/domain/lists';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { optional } from '../line/fields.ts';
import { firstRows } from '../line/first-rows.ts';
import { limit } from '../line/readers.ts';
import { taskRow } from '../line/views.ts';

export const listTasks = defineCommand({
  name: 'list-tasks',
  group: 'Tasks',
  summary: 'list open payout tasks, the oldest first: available, claimed, or with a proof to decide',
  kind: 'read',
  roles: null,
  fields: { limit: optional('--limit <n>', 'the maximum number (default 100)', limit) },
  async run({ domain }, { limit = 100 }) {
    const open = await firstRows('payout_tasks', limit, (page) => pagePayoutTasks(domain, unrestricted, {}, page));
    const rows = open.map(taskRow);
    return done(rows.length === 0 ? 'There are no tasks.' : `Tasks: ${rows.length}`, rows);
  },
});
