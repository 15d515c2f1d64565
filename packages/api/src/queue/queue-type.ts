import { builder } from '../graphql/builder.ts';
import type { QueueDepth } from '../live/read-queues.ts';

/** The current state of a queue. */
export const QueueType = builder.objectRef<QueueDepth>('Queue').implement({
  description: 'Current state of a work queue. A queue only wakes workers. The database holds what is due.',
  fields: (t) => ({
    name: t.string({
      description:
        'Name: submit, poll, expire, refund, settle, notify (first attempts), retry (later attempts), dispatch, audit, reconcile, fetch or export.',
      resolve: ({ name }) => name,
    }),
    waiting: t.exposeInt('waiting', { description: 'Jobs that wait for a worker.' }),
    active: t.exposeInt('active', { description: 'Jobs in progress.' }),
    delayed: t.exposeInt('delayed', { description: 'Jobs that are scheduled for later.' }),
    oldestWaitingMs: t.exposeInt('oldestWaitingMs', {
      nullable: true,
      description: 'Waiting time of the oldest job in milliseconds. Null if none waits.',
    }),
  }),
});
