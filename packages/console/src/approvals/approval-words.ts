import type { Word } from '../format/words.ts';
import type { ApprovalState } from '../generated/documents.generated.ts';

/** States of approvals. */
export const approvalStateWords: Readonly<Record<ApprovalState, Word>> = {
  PENDING: { label: 'Waiting', tone: 'warn' },
  EXECUTED: { label: 'Approved', tone: 'good' },
  REJECTED: { label: 'Rejected', tone: 'bad' },
  EXPIRED: { label: 'Expired', tone: 'idle' },
  FAILED: { label: 'Approved, but failed', tone: 'bad' },
  WITHDRAWN: { label: 'Withdrawn', tone: 'idle' },
};

/** Ways to look at the approvals. */
export const approvalViews = { waiting: 'Waiting for me', asked: 'Requested by me', all: 'All' } as const;
