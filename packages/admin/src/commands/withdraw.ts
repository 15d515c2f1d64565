import { withdraw } from '@tidegate/domain/operators';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument } from '../line/fields.ts';
import { approvalId } from '../line/readers.ts';
import { approvalRow } from '../line/views.ts';
import { rejected } from '../operations/rejections.ts';

export const withdrawCommand = defineCommand({
  name: 'withdraw',
  group: 'Approvals',
  summary: 'withdraw your own request while it is pending',
  kind: 'change',
  // Any role. `withdraw` itself refuses every operator but the requester.
  roles: null,
  fields: { approval: argument('<approval>', 'its id, see list-approvals', approvalId) },
  async run({ domain, operator, reason }, { approval }) {
    const withdrawn = await withdraw(domain, operator, approval, reason);
    if (!withdrawn.ok) return rejected(approval, withdrawn);
    const { operation, subject } = withdrawn.value;
    return done(`Withdrawn: ${operation} of ${subject}. The operation was not executed.`, approvalRow(withdrawn.value));
  },
});
