import { builder } from '../builder.ts';
import type { QueueDepth } from './read-queues.ts';

/** A queue of work as it is now. */
export const QueueType = builder.objectRef<QueueDepth>('Queue').implement({
  description: 'A queue of work that is due, as it is now. Queues only wake workers: the database says what is due.',
  fields: (t) => ({
    name: t.string({
      description: 'submit, poll, expire, notify (first attempts), retry (later ones), dispatch or audit.',
      resolve: ({ name }) => name,
    }),
    waiting: t.exposeInt('waiting', { description: 'Jobs that no worker has taken yet.' }),
    active: t.exposeInt('active', { description: 'Jobs that workers are at.' }),
    delayed: t.exposeInt('delayed', { description: 'Jobs that wait for their time.' }),
    oldestWaitingMs: t.exposeInt('oldestWaitingMs', {
      nullable: true,
      description: 'For how long the oldest waiting job has waited, in milliseconds; null where none waits.',
    }),
  }),
});
