import { type Action, defineDecision } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { blockedBy } from '../actions/allowed.tsx';
import {
  type AllowedPartsFragment,
  type AssignmentPartsFragment,
  AssignWorkDocument,
} from '../generated/documents.generated.ts';

export interface WorkItem {
  /** Global id of the order, case or break. */
  readonly id: string;
  readonly assignment: AssignmentPartsFragment | null;
  /** Undefined: the API does not list them, and roles decide. */
  readonly actions?: readonly AllowedPartsFragment[];
}

/** Assigns an order or a case to an operator. `subject`: as its audit records name it. */
export function assignWork({ id, assignment, actions }: WorkItem, subject: string): Action {
  return defineDecision({
    operation: 'assignWork',
    document: AssignWorkDocument,
    label: 'Assign',
    subject,
    before: <Before values={{ Now: assigneeWords(assignment) }} />,
    fields: [{ name: 'to', label: "Operator's id" }],
    toVariables: ({ to = '' }) => ({ on: id, to: to.trim() }),
    after: ({ assignment: now }) => `${assigneeWords(now)}.`,
    blocked: actions ? blockedBy(actions, 'ASSIGN_WORK') : null,
  });
}

/** The operator who works on the item, in words. `self`: the operator who reads the page. */
export function assigneeWords(assignment: { readonly assignee: string } | null, self?: string): string {
  if (assignment === null) return 'Unassigned';
  return `Assigned to ${assignment.assignee === self ? 'you' : assignment.assignee}`;
}
