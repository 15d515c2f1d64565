import type { KeyNeeds } from '@tidegate/domain';
import type { QueueName } from '@tidegate/queue';

type Purposes = NonNullable<KeyNeeds['needs']>;

const channels: Purposes = ['payin', 'callback', 'payout', 'statement'];

/** What the jobs of each queue need keys for. */
const purposes: Record<QueueName, Purposes> = {
  submit: channels,
  poll: channels,
  expire: channels,
  refund: channels,
  settle: [...channels, 'account'],
  notify: ['notification'],
  retry: ['notification'],
  dispatch: [],
  // It also makes orders findable.
  audit: ['seal', 'search'],
  reconcile: ['account'],
  fetch: channels,
  draft: [],
  export: ['search'],
};

/** What a worker that serves these queues needs keys for. */
export function purposesOf(queues: readonly QueueName[]): Purposes {
  return [...new Set(queues.flatMap((queue) => purposes[queue]))];
}
