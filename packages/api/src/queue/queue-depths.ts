import { builder } from '../builder.ts';
import { operatorOf } from '../context.ts';
import { listenAs } from '../live/listen-as.ts';
import { refuseRestricted } from '../platform-only.ts';
import { QueueType } from './queue-type.ts';

builder.subscriptionField('queueDepths', (t) =>
  t.field({
    type: [QueueType],
    description:
      "Every queue of work, every two seconds. Queues are the whole platform's: not for operators who are restricted.",
    authScopes: { operator: true },
    subscribe: (_root, _args, context) => {
      refuseRestricted(operatorOf(context));
      const depths = listenAs(context, 'queues', async (events, operator) => {
        refuseRestricted(operator);
        return events.map(({ queues }) => queues);
      });
      context.live.queues.begin();
      return depths;
    },
    resolve: (queues) => queues,
  }),
);
