import type { CaseDetailQuery } from '../generated/documents.generated.ts';

/** A case as its page reads it. */
export type CaseDetail = NonNullable<CaseDetailQuery['moneyCase']>;

/** The subject of its audit records and approvals. */
export function subjectOf(caseNo: number | string): string {
  return `case ${caseNo}`;
}
