import { builder } from '../builder.ts';
import { operatorOf } from '../context.ts';
import { refuseRestricted } from '../platform-only.ts';
import { QueueType } from './queue-type.ts';

builder.queryField('queues', (t) =>
  t.field({
    type: [QueueType],
    description:
      "Every queue of work as it is now. Queues are the whole platform's: not for operators who are restricted.",
    authScopes: { operator: true },
    resolve: (_root, _args, context) => {
      refuseRestricted(operatorOf(context));
      return context.live.queues.read();
    },
  }),
);
