import type { WorkListName } from '../generated/documents.generated.ts';

/** The lists of work: what each is called, where it is, and what it says when it is empty. */
export const workLists: Readonly<
  Record<WorkListName, { label: string; to: string; search?: Record<string, unknown> }>
> = {
  OPEN_CASES: { label: 'Open cases', to: '/cases' },
  STUCK_PAYOUTS: { label: 'Stuck payouts', to: '/stuck-payouts' },
  AVAILABLE_TASKS: { label: 'Tasks to take', to: '/payout-tasks' },
  PROVEN_TASKS: { label: 'Proofs to review', to: '/payout-tasks', search: { view: 'review' } },
  PENDING_APPROVALS: { label: 'Approvals waiting', to: '/approvals' },
  FAILED_NOTIFICATIONS: { label: 'Notifications given up', to: '/notifications', search: { states: ['EXHAUSTED'] } },
  OPEN_FINDINGS: { label: 'Audit findings', to: '/audit/findings' },
};

/** Queues of the workers in plain words. */
export const queueWords: Readonly<Record<string, string>> = {
  submit: 'To the channel',
  poll: 'Asking the channel',
  expire: 'Expiring',
  notify: 'Notifications',
  retry: 'Notifications, later attempts',
  dispatch: 'Finding due work',
};
