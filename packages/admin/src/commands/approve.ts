import { approve } from '@tidegate/domain/operators';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument } from '../line/fields.ts';
import { approvalId } from '../line/readers.ts';
import { approvalRow } from '../line/views.ts';
import { rejected } from '../operations/rejections.ts';

export const approveCommand = defineCommand({
  name: 'approve',
  group: 'Approvals',
  summary: 'approve the request of another operator. It is executed at once',
  kind: 'approve',
  // `approve` itself checks that the operator has a role of the operation.
  roles: null,
  fields: { approval: argument('<approval>', 'its id, see list-approvals', approvalId) },
  async run({ domain, operator }, { approval }) {
    const approved = await approve(domain, operator, approval);
    if (!approved.ok) return rejected(approval, approved);
    const { operation, subject, requestedBy } = approved.value;
    return done(`Done: ${operation} of ${subject}, which ${requestedBy} asked for.`, approvalRow(approved.value));
  },
});
