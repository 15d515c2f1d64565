import { pagePayoutTasks, pageStuckPayouts, payoutTaskFilter, stuckPayoutFilter } from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { connectionOf, pageOf, scopeOf } from '../paging.ts';
import { OrderInterface } from './order-type.ts';

const TaskStateEnum = builder.enumType('PayoutTaskState', {
  description: 'Where a task of the payout market stands.',
  values: {
    AVAILABLE: { value: 'available', description: 'Nobody has claimed it.' },
    CLAIMED: { value: 'claimed', description: 'An operator pays it.' },
    PROVEN: { value: 'proven', description: 'They say that they have; another one is to judge the proof.' },
  } as const,
});

const TaskFilter = builder.inputType('PayoutTaskFilter', {
  description: 'Which tasks. What is left out does not narrow; all that is given has to fit.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Of these merchants, at most 100.' }),
    state: t.field({ type: TaskStateEnum, description: 'In this state.' }),
    claimedBy: t.string({ description: 'Claimed by this operator.' }),
  }),
});

builder.queryField('payoutTasks', (t) =>
  t.connection({
    type: OrderInterface,
    description: 'Open tasks of the payout market as their payouts, the oldest first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: TaskFilter,
        description: 'Which tasks; left out: all that you may see.',
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
  description: 'Which stuck payouts. What is left out does not narrow; all that is given has to fit.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Of these merchants, at most 100.' }),
    channelIds: t.stringList({ description: 'At one of these channels.' }),
  }),
});

builder.queryField('stuckPayouts', (t) =>
  t.connection({
    type: OrderInterface,
    description:
      "Payouts that have waited for their channel's definite answer, or for a judgement of their proof, for more than an hour, the oldest first.",
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: StuckPayoutFilter,
        description: 'Which of them; left out: all that you may see.',
        validate: { schema: stuckPayoutFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      const request = pageOf('stuck_payouts', page);
      return connectionOf(await pageStuckPayouts(context.domain, scopeOf(context), filter ?? {}, request));
    },
  }),
);
