import type { CaseDetailQuery } from '../generated/documents.generated.ts';

/** A case as its page reads it. */
export type CaseDetail = NonNullable<CaseDetailQuery['moneyCase']>;

/** The subject of its audit records and approvals. */
export function subjectOf(caseNo: number | string): string {
  return `case ${caseNo}`;
}

/** Why a case cannot be decided any more; null if it can. */
export function problemOf({ state }: Pick<CaseDetail, 'state'>): string | null {
  return state === 'OPEN' ? null : 'The case was decided already.';
}
