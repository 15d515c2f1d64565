import { pagePayoutTasks, pageStuckPayouts, payoutTaskFilter, stuckPayoutFilter } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { OrderInterface } from './order-type.ts';

const TaskStateEnum = builder.enumType('PayoutTaskState', {
  description: 'State of a task of the payout market.',
  values: {
    AVAILABLE: { value: 'available', description: 'Not claimed yet.' },
    CLAIMED: { value: 'claimed', description: 'Claimed by an operator, who is paying it.' },
    PROVEN: { value: 'proven', description: 'The operator submitted a proof. Another operator must review it.' },
  } as const,
});

const TaskFilter = builder.inputType('PayoutTaskFilter', {
  description: 'Filter for payout tasks. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Any of these merchants, at most 100.' }),
    state: t.field({ type: TaskStateEnum, description: 'In this state.' }),
    claimedBy: t.string({ description: 'Claimed by this operator id.' }),
  }),
});

builder.queryField('payoutTasks', (t) =>
  t.connection({
    type: OrderInterface,
    description: 'Payouts with an open task on the payout market, oldest first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: TaskFilter,
        description: 'Filter. Default: all tasks that you may see.',
        validate: { schema: payoutTaskFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      const request = pageOf('payout_tasks', page);
      return connectionOf(await pagePayoutTasks(context.domain, scopeOf(context), filter ?? {}, request));
    },
  }),
);

const StuckPayoutFilter = builder.inputType('StuckPayoutFilter', {
  description: 'Filter for stuck payouts. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Any of these merchants, at most 100.' }),
    channelIds: t.stringList({ description: 'Routed to any of these channels.' }),
    waitingMinutes: t.int({ description: 'Waiting for at least this many minutes, 1 to 525600. Default: 60.' }),
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
        validate: { schema: stuckPayoutFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      const request = pageOf('stuck_payouts', page);
      return connectionOf(await pageStuckPayouts(context.domain, scopeOf(context), filter ?? {}, request));
    },
  }),
);
