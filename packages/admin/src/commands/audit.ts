import { audit } from '@tidegate/domain';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';

export const auditCommand = defineCommand({
  name: 'audit',
  group: 'Checks',
  summary: 'prove on the whole database what is always true of orders and money; exit code 1 when it is not',
  kind: 'read',
  role: null,
  fields: {},
  async run({ domain }) {
    const { violations, checked } = await audit(domain);
    const result = { checked: { ...checked }, violations: violations.map((one) => ({ ...one })) };
    if (violations.length === 0) return done('All is well.', result);
    return { ok: true, message: `Violations: ${violations.length}`, result, violated: true };
  },
});
