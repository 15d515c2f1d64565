import { changeConfiguration, platformTenant, setOperatorEnabled } from '@tidegate/domain';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { operatorId } from '../readers.ts';

export const disableOperator = defineCommand({
  name: 'disable-operator',
  group: 'Operators',
  summary: 'let an operator in no more, whatever their tokens',
  kind: 'change',
  role: 'admin',
  fields: { operatorId: argument('<operator>', 'their id', operatorId) },
  async run({ domain, by }, { operatorId }) {
    if (operatorId === by.actor) return refused('you cannot shut yourself out: another operator can');
    const settings = { enabled: false };
    const change = { merchantId: platformTenant, change: 'setOperatorEnabled', subject: operatorId, settings };
    if (!(await changeConfiguration(domain, change, by, () => setOperatorEnabled(domain, operatorId, false))))
      return refused(`there is no operator ${operatorId}: see create-operator`);
    return done(`Operator ${operatorId} is let in no more.`, { operatorId, enabled: false });
  },
});
