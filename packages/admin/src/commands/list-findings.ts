import { openFindings } from '@tidegate/domain/admin';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { optional } from '../line/fields.ts';
import { limit } from '../line/readers.ts';
import { findingRow } from '../line/views.ts';

export const listFindings = defineCommand({
  name: 'list-findings',
  group: 'Checks',
  summary: 'list open findings of the continuous audit, the oldest first',
  kind: 'read',
  roles: null,
  fields: { limit: optional('--limit <n>', 'the maximum number (default 100)', limit) },
  async run({ domain }, { limit = 100 }) {
    const rows = (await openFindings(domain, limit)).map(findingRow);
    return done(rows.length === 0 ? 'No finding is open.' : `Open findings: ${rows.length}`, rows);
  },
});
