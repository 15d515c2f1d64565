import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { refuseRestricted } from '../graphql/platform-only.ts';
import { QueueType } from './queue-type.ts';

builder.queryField('queues', (t) =>
  t.field({
    type: [QueueType],
    description: 'Current state of all work queues. Hidden from restricted operators.',
    authScopes: { operator: true },
    resolve: (_root, _args, context) => {
      refuseRestricted(operatorOf(context));
      return context.live.queues.read();
    },
  }),
);
