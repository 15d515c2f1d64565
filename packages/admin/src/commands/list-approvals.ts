import { pendingApprovals } from '@tidegate/domain/operators';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { optional } from '../line/fields.ts';
import { limit } from '../line/readers.ts';
import { approvalRow } from '../line/views.ts';

export const listApprovals = defineCommand({
  name: 'list-approvals',
  group: 'Approvals',
  summary: 'list pending approvals, the oldest first',
  kind: 'read',
  roles: null,
  respectsRestrictions: true,
  fields: { limit: optional('--limit <n>', 'the maximum number (default 100)', limit) },
  async run({ domain, operator }, { limit = 100 }) {
    const rows = (await pendingApprovals(domain, operator, limit)).map(approvalRow);
    return done(rows.length === 0 ? 'Nothing waits for a second operator.' : `Waiting: ${rows.length}`, rows);
  },
});
