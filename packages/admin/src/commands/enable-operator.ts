import { changeConfiguration, platformTenant, setOperatorEnabled } from '@tidegate/domain';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { operatorId } from '../readers.ts';

export const enableOperator = defineCommand({
  name: 'enable-operator',
  group: 'Operators',
  summary: 'let a disabled operator in again',
  kind: 'change',
  role: 'admin',
  fields: { operatorId: argument('<operator>', 'their id', operatorId) },
  async run({ domain, by }, { operatorId }) {
    const settings = { enabled: true };
    const change = { merchantId: platformTenant, change: 'setOperatorEnabled', subject: operatorId, settings };
    if (!(await changeConfiguration(domain, change, by, () => setOperatorEnabled(domain, operatorId, true))))
      return refused(`there is no operator ${operatorId}: see create-operator`);
    return done(`Operator ${operatorId} is let in.`, { operatorId, enabled: true });
  },
});
