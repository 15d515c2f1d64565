import { readWorkLists, type WorkList } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';
import { scopeOf } from '../graphql/paging.ts';

const WorkListNameEnum = builder.enumType('WorkListName', {
  description: 'Kind of work that waits for a person.',
  values: {
    OPEN_CASES: { value: 'open_cases', description: 'Money cases in state OPEN.' },
    STUCK_PAYOUTS: { value: 'stuck_payouts', description: 'Payouts as in `stuckPayouts`.' },
    AVAILABLE_TASKS: { value: 'available_tasks', description: 'Payout tasks that no operator has claimed.' },
    PROVEN_TASKS: { value: 'proven_tasks', description: 'Payout tasks whose proof waits for a decision.' },
    FAILED_NOTIFICATIONS: {
      value: 'failed_notifications',
      description: 'Notifications in state EXHAUSTED about a status of the last 7 days.',
    },
    RETRIED_NOTIFICATIONS: {
      value: 'retried_notifications',
      description: 'Notifications in state PENDING that were tried at least twice.',
    },
    PENDING_APPROVALS: { value: 'pending_approvals', description: 'Operations that wait for a second operator.' },
    STOPPED_PAYOUTS: {
      value: 'stopped_payouts',
      description: 'Merchants whose payouts a finding of the audit stopped.',
    },
    OPEN_FINDINGS: { value: 'open_findings', description: 'Audit findings in state OPEN.' },
    SETTLEMENTS_TO_APPROVE: {
      value: 'settlements_to_approve',
      description: 'Settlements in state DRAFT that have something to pay.',
    },
    SETTLEMENTS_TO_PAY: { value: 'settlements_to_pay', description: 'Settlements in state APPROVED.' },
    SETTLEMENTS_TO_CONFIRM: { value: 'settlements_to_confirm', description: 'Settlements in state PAID.' },
    FAILED_SETTLEMENTS: {
      value: 'failed_settlements',
      description: 'Money cases of the kind SETTLEMENT_FAILED in state OPEN.',
    },
    OPEN_BREAKS: { value: 'open_breaks', description: 'Breaks in state OPEN.' },
    DAYS_TO_CLOSE: { value: 'days_to_close', description: 'Days as in `waitingDays` for CLOSING.' },
    MISSING_STATEMENTS: { value: 'missing_statements', description: 'Days as in `waitingDays` for STATEMENT.' },
  } as const satisfies Record<string, { value: WorkList['list']; description: string }>,
});

const WorkListType = builder.objectRef<WorkList>('WorkList').implement({
  description: 'Number of entries of one kind of work, and the oldest of them.',
  fields: (t) => ({
    list: t.expose('list', { type: WorkListNameEnum, description: 'Kind of work.' }),
    count: t.exposeInt('count', { description: 'Number of entries, at most 10,000.' }),
    isExact: t.exposeBoolean('isExact', { description: 'False if there are at least `count` entries.' }),
    oldestAt: t.expose('oldestAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time from which the oldest entry has waited. Null if none waits.',
    }),
  }),
});

builder.queryField('workLists', (t) =>
  t.field({
    type: [WorkListType],
    description:
      'What waits for people, by kind. Restricted operators see the share of their merchants, without the kinds that only the platform has.',
    authScopes: { operator: true },
    resolve: (_root, _args, context) => readWorkLists(context.domain, scopeOf(context)),
  }),
);
