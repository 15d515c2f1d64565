import { listRoles, type OperationName, operationNamed } from '../actions/operation.ts';
import { plainWords } from '../format/words.ts';
import type { WaitingApprovalFragment } from '../generated/documents.generated.ts';
import { Notice } from '../parts/notice.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Time } from '../parts/time.tsx';

type Approvals = { readonly edges: readonly { readonly node: WaitingApprovalFragment }[] } | null | undefined;

/** Says what was asked for already, and who has to agree. */
export function WaitingApprovals({ approvals }: { approvals: Approvals }) {
  const waiting = approvals?.edges.map(({ node }) => node) ?? [];
  return waiting.map(({ approvalId, operation, requestedBy, expiresAt }) => (
    <Notice key={approvalId} tone="warn">
      {requestedBy} requested this: {plainWords(operation).toLowerCase()}. Another operator with the role{' '}
      {listRoles(operationNamed(operation as OperationName).roles)} has to agree until <Time at={expiresAt} />.{' '}
      <ScreenLink to={`/approvals/${approvalId}`}>See the approval</ScreenLink>
    </Notice>
  ));
}
