import type { MerchantDetailQuery } from '../generated/documents.generated.ts';

/** A merchant as its page reads it. */
export type MerchantDetail = NonNullable<MerchantDetailQuery['merchant']>;

/** The numbers of routes that wait for a second operator: a new route takes another one. */
export function waitingRoutes(data: MerchantDetailQuery | undefined): number[] {
  const subjects = data?.approvals?.edges.map(({ node }) => node.subject) ?? [];
  return subjects.flatMap((subject) => Number(/^route ([0-9]+)$/.exec(subject)?.[1]) || []);
}
