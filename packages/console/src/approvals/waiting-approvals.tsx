import type { Action } from '../actions/action.ts';
import { listRoles, type OperationName, operationNamed } from '../actions/operation.ts';
import type { WaitingApprovalFragment } from '../generated/documents.generated.ts';
import { TimeLeft } from '../parts/age.tsx';
import { Notice } from '../parts/notice.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Time } from '../parts/time.tsx';
import { outcomeOf } from './approval-title.ts';

/** The requests that wait about an object, as its page reads them. */
export type Waiting = { readonly edges: readonly { readonly node: WaitingApprovalFragment }[] } | null | undefined;

/** Says which request waits about this object: who asked for what, who decides, and until when. `isPart`: names the subject. */
export function WaitingApprovals({ approvals, isPart = false }: { approvals: Waiting; isPart?: boolean }) {
  return requestsOf(approvals).map((one) => (
    <Notice
      key={one.approvalId}
      tone="warn"
      action={<ScreenLink to={`/approvals/${one.approvalId}`}>See the approval</ScreenLink>}
    >
      {one.requestedBy} requested <strong>{outcomeOf(one)}</strong>
      {isPart && ` (${objectsOf(one).join(', ')})`}. {whoDecides(one.operation)} has to decide it until{' '}
      <Time at={one.expiresAt} /> (
      <TimeLeft until={one.expiresAt} />
      ).
    </Notice>
  ));
}

/** Why another request about this subject cannot be sent; null: none waits. For objects of which the API lists no actions. */
export function blockedByRequest(approvals: Waiting, subject: string): string | null {
  const found = requestsOf(approvals).find((one) => objectsOf(one).includes(subject));
  return found ? `${found.requestedBy} requested ${outcomeOf(found)}: decide that first.` : null;
}

/** The action, blocked while a request about its subject waits. */
export function unlessRequested(action: Action, approvals: Waiting, subject = action.subject ?? ''): Action {
  return { ...action, blocked: action.blocked ?? blockedByRequest(approvals, subject) };
}

/** Everything that a request decides about. */
function objectsOf({ subject, alsoSubjects }: WaitingApprovalFragment): string[] {
  return [subject, ...alsoSubjects];
}

function requestsOf(approvals: Waiting): WaitingApprovalFragment[] {
  return approvals?.edges.map(({ node }) => node) ?? [];
}

/** An operation of another version has no roles here. */
function whoDecides(name: string): string {
  const { roles = [] } = (operationNamed(name as OperationName) as { roles?: readonly string[] } | undefined) ?? {};
  return roles.length === 0 ? 'Another operator' : `Another operator with the role ${listRoles(roles)}`;
}
