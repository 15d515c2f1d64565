import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { listenAs } from '../graphql/listen-as.ts';
import { refuseRestricted } from '../graphql/platform-only.ts';
import { QueueType } from './queue-type.ts';

builder.subscriptionField('queueDepths', (t) =>
  t.field({
    type: [QueueType],
    description: 'State of all work queues, every two seconds. Hidden from restricted operators.',
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
