import type { WorkListName } from '../generated/documents.generated.ts';

/** A list of work: what it is called, and where it is. */
interface WorkWords {
  readonly label: string;
  readonly to: string;
  readonly search?: Record<string, unknown>;
}

/** The lists of work that have a card each. */
export const workLists: Readonly<Partial<Record<WorkListName, WorkWords>>> = {
  OPEN_CASES: { label: 'Open cases', to: '/cases' },
  STUCK_PAYOUTS: { label: 'Stuck payouts', to: '/stuck-payouts' },
  AVAILABLE_TASKS: { label: 'Tasks to take', to: '/payout-tasks' },
  PROVEN_TASKS: { label: 'Proofs to review', to: '/payout-tasks', search: { view: 'review' } },
  PENDING_APPROVALS: { label: 'Approvals waiting', to: '/approvals' },
  STOPPED_PAYOUTS: { label: 'Merchants with stopped payouts', to: '/audit/findings' },
  OPEN_FINDINGS: { label: 'Audit findings', to: '/audit/findings' },
};

const settlements = '/settlements';
/** The lists of work that share a card, by its title. */
export const workGroups: Readonly<Record<string, Readonly<Partial<Record<WorkListName, WorkWords>>>>> = {
  Notifications: {
    FAILED_NOTIFICATIONS: { label: 'Given up', to: '/notifications', search: { states: ['EXHAUSTED'] } },
    RETRIED_NOTIFICATIONS: {
      label: 'Tried again',
      to: '/notifications',
      search: { states: ['PENDING'], attempts: 'several' },
    },
  },
  Settlements: {
    SETTLEMENTS_TO_APPROVE: {
      label: 'Drafts to approve',
      to: settlements,
      search: { view: 'drafts', amount: 'some' },
    },
    SETTLEMENTS_TO_PAY: { label: 'To pay', to: settlements, search: { view: 'approved' } },
    SETTLEMENTS_TO_CONFIRM: { label: 'To confirm', to: settlements, search: { view: 'paid' } },
    FAILED_SETTLEMENTS: { label: 'Failed, to clear up', to: '/cases', search: { kinds: ['SETTLEMENT_FAILED'] } },
  },
  Reconciliation: {
    OPEN_BREAKS: { label: 'Open breaks', to: '/reconciliation/breaks' },
    DAYS_TO_CLOSE: { label: 'Days to close', to: '/reconciliation', search: { view: 'toClose' } },
    MISSING_STATEMENTS: { label: 'Statements missing', to: '/reconciliation', search: { view: 'noStatement' } },
  },
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
