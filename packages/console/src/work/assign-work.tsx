import { type Action, defineDecision } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { blockedBy } from '../actions/allowed.tsx';
import {
  type AllowedPartsFragment,
  type AssignmentPartsFragment,
  AssignWorkDocument,
} from '../generated/documents.generated.ts';

interface WorkItem {
  /** Global id of the order or case. */
  readonly id: string;
  readonly assignment: AssignmentPartsFragment | null;
  readonly actions: readonly AllowedPartsFragment[];
}

/** Assigns an order or a case to an operator. `subject`: as its audit records name it. */
export function assignWork({ id, assignment, actions }: WorkItem, subject: string): Action {
  return defineDecision({
    operation: 'assignWork',
    document: AssignWorkDocument,
    label: 'Assign to somebody',
    subject,
    before: <Before values={{ 'Taken by': assignment?.assignee ?? 'Nobody' }} />,
    fields: [{ name: 'to', label: "Operator's id" }],
    toVariables: ({ to = '' }) => ({ on: id, to: to.trim() }),
    after: ({ assignment: now }) => `${now?.assignee ?? 'Nobody'} has it now.`,
    blocked: blockedBy(actions, 'ASSIGN_WORK'),
  });
}
