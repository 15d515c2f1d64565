import { reject } from '@tidegate/domain/operators';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument } from '../line/fields.ts';
import { approvalId } from '../line/readers.ts';
import { approvalRow } from '../line/views.ts';
import { rejected } from '../operations/rejections.ts';

export const rejectCommand = defineCommand({
  name: 'reject',
  group: 'Approvals',
  summary: 'reject the request of another operator',
  kind: 'change',
  // `reject` itself checks that the operator has a role of the operation.
  roles: null,
  fields: { approval: argument('<approval>', 'its id, see list-approvals', approvalId) },
  async run({ domain, operator, reason }, { approval }) {
    const dropped = await reject(domain, operator, approval, reason);
    if (!dropped.ok) return rejected(approval, dropped);
    const { operation, subject } = dropped.value;
    return done(`Dropped: ${operation} of ${subject}. The operation was not executed.`, approvalRow(dropped.value));
  },
});
