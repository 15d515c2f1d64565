import { listOperators } from '@tidegate/domain/admin';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { optional } from '../line/fields.ts';
import { limit } from '../line/readers.ts';
import { timeText } from '../line/views.ts';

export const listOperatorsCommand = defineCommand({
  name: 'list-operators',
  group: 'Operators',
  summary: 'list operators with their roles and restrictions',
  kind: 'read',
  roles: null,
  fields: { limit: optional('--limit <n>', 'the maximum number of operators (default 100)', limit) },
  async run({ domain }, { limit = 100 }) {
    const rows = await listOperators(domain, limit);
    return done(
      `Operators: ${rows.length}`,
      rows.map((one) => ({ ...one, lastUsedAt: timeText(one.lastUsedAt) })),
    );
  },
});
