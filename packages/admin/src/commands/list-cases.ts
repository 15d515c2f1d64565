import { pageMoneyCases, unrestricted } from '@tidegate/domain/lists';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { optional } from '../line/fields.ts';
import { firstRows } from '../line/first-rows.ts';
import { limit } from '../line/readers.ts';
import { caseRow } from '../line/views.ts';

export const listCases = defineCommand({
  name: 'list-cases',
  group: 'Cases',
  summary: 'list open cases, also those whose money is being sent back, the oldest first',
  kind: 'read',
  roles: null,
  fields: { limit: optional('--limit <n>', 'the maximum number (default 100)', limit) },
  async run({ domain }, { limit = 100 }) {
    const open = await firstRows('money_cases', limit, (page) =>
      pageMoneyCases(domain, unrestricted, { states: ['open', 'returning'] }, page, { isReversed: true }),
    );
    const rows = open.map(caseRow);
    return done(rows.length === 0 ? 'No case is open.' : `Open cases: ${rows.length}`, rows);
  },
});
