import { openFindings } from '@tidegate/domain/admin';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { optional } from '../fields.ts';
import { limit } from '../readers.ts';
import { findingRow } from '../views.ts';

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
