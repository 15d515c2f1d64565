import { listConfigurationHistory } from '@tidegate/domain/admin';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument, optional } from '../line/fields.ts';
import { findMerchant, noMerchant } from '../line/lookups.ts';
import { limit, merchantNo } from '../line/readers.ts';

export const listHistory = defineCommand({
  name: 'list-history',
  group: 'Merchants',
  summary: "list the changes of a merchant's configuration, the newest first",
  kind: 'read',
  roles: null,
  respectsRestrictions: true,
  fields: {
    merchant: argument('<merchant>', 'its merchant number', merchantNo),
    limit: optional('--limit <n>', 'the maximum number (default 100)', limit),
  },
  async run({ domain, operator }, { merchant, limit = 100 }) {
    if (!(await findMerchant(domain, operator, merchant))) return noMerchant(merchant);
    const versions = await listConfigurationHistory(domain, merchant, limit);
    const rows = versions.map(({ versionNo, at, actor, approver, action, subject, reason, changes }) => ({
      version: versionNo,
      at: new Date(at).toISOString(),
      actor,
      approver,
      action,
      subject,
      reason,
      changes: changes.map(({ field, before, after }) => `${field}: ${before ?? '-'} -> ${after ?? '-'}`).join('; '),
    }));
    return done(`Changes of ${merchant}: ${rows.length}`, rows);
  },
});
