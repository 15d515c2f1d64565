import type { Waiting } from '../approvals/waiting-approvals.tsx';
import type { MerchantDetailQuery } from '../generated/documents.generated.ts';

/** A merchant as its page reads it. */
export type MerchantDetail = NonNullable<MerchantDetailQuery['merchant']>;

/** The numbers of routes that wait for a second operator: a new route takes another one. */
export function waitingRoutes(approvals: Waiting): number[] {
  const subjects = approvals?.edges.map(({ node }) => node.subject) ?? [];
  return subjects.flatMap((subject) => Number(/^route ([0-9]+)$/.exec(subject)?.[1]) || []);
}

/** Whether a request for this operation waits for a second operator. */
export function isRequested(approvals: Waiting, operation: 'addMerchantKey' | 'setFeeRule'): boolean {
  return approvals?.edges.some(({ node }) => node.operation === operation) ?? false;
}
