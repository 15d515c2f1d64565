import { pagePayoutTasks, pageStuckPayouts, payoutTaskFilter, stuckPayoutFilter } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { assignedParts, assignmentSchema, toDomainFilter, WorkSortEnum } from '../graphql/work-filter.ts';
import { OrderInterface } from './order-type.ts';

const sortBy = { type: WorkSortEnum, description: 'Sort order by age or amount. Default: OLDEST_FIRST.' } as const;

const TaskStateEnum = builder.enumType('PayoutTaskState', {
  description: 'State of a payout task.',
  values: {
    AVAILABLE: { value: 'available', description: 'Not claimed yet.' },
    CLAIMED: { value: 'claimed', description: 'Claimed by an operator, who is paying it.' },
    ASKED: { value: 'asked', description: 'The claim ran out. Its operator has to say whether they paid.' },
    PROVEN: { value: 'proven', description: 'The operator submitted a proof. Another operator must review it.' },
  } as const,
});

const TaskFilter = builder.inputType('PayoutTaskFilter', {
  description: 'Filter for payout tasks. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Any of these merchants, at most 100.' }),
    state: t.field({ type: TaskStateEnum, description: 'In this state.' }),
    claimedBy: t.string({ description: 'Claimed by this operator id.' }),
    assigned: t.field(assignedParts.assigned),
    assignee: t.string(assignedParts.assignee),
  }),
});

builder.queryField('payoutTasks', (t) =>
  t.connection({
    type: OrderInterface,
    description: 'Payouts with an open task on the task market, oldest first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: TaskFilter,
        description: 'Filter. Default: all tasks that you may see.',
        validate: { schema: assignmentSchema(payoutTaskFilter) },
      }),
      sortBy: t.arg(sortBy),
    },
    resolve: async (_root, { filter, sortBy, ...page }, context) => {
      const wanted = toDomainFilter(filter ?? {}, context);
      const isByAmount = sortBy === 'largest' || sortBy === 'smallest';
      const request = isByAmount ? pageOf('payout_tasks_by_amount', page) : pageOf('payout_tasks', page);
      const order = { isReversed: sortBy === 'newest' || sortBy === 'smallest' };
      return connectionOf(await pagePayoutTasks(context.domain, scopeOf(context), wanted, request, order));
    },
  }),
);

const StuckPayoutFilter = builder.inputType('StuckPayoutFilter', {
  description: 'Filter for stuck payouts. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Any of these merchants, at most 100.' }),
    channelIds: t.stringList({ description: 'Routed to any of these channels.' }),
    waitingMinutes: t.int({ description: 'Waiting for at least this many minutes, 1 to 525600. Default: 60.' }),
    assigned: t.field(assignedParts.assigned),
    assignee: t.string(assignedParts.assignee),
  }),
});

builder.queryField('stuckPayouts', (t) =>
  t.connection({
    type: OrderInterface,
    description:
      'Payouts that have waited too long for a final answer of the channel or a review of the proof. Oldest first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: StuckPayoutFilter,
        description: 'Filter. Default: all stuck payouts that you may see.',
        validate: { schema: assignmentSchema(stuckPayoutFilter) },
      }),
      sortBy: t.arg(sortBy),
    },
    resolve: async (_root, { filter, sortBy, ...page }, context) => {
      const wanted = toDomainFilter(filter ?? {}, context);
      const isByAmount = sortBy === 'largest' || sortBy === 'smallest';
      const request = isByAmount ? pageOf('stuck_payouts_by_amount', page) : pageOf('stuck_payouts', page);
      const order = { isReversed: sortBy === 'newest' || sortBy === 'smallest' };
      return connectionOf(await pageStuckPayouts(context.domain, scopeOf(context), wanted, request, order));
    },
  }),
);
