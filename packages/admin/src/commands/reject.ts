import { reject } from '@tidegate/domain/operators';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { approvalId } from '../readers.ts';
import { rejected } from '../rejections.ts';
import { approvalRow } from '../views.ts';

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
