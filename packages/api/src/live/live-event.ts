import type { Change } from '@tidegate/domain';
import type { QueueDepth } from '../queue/read-queues.ts';

/** What streams are fed with: what was committed, and how the queues are. */
export type LiveEvent = Change | { type: 'queues'; queues: QueueDepth[] };

export type Topic = LiveEvent['type'];
export type EventOf<T extends Topic> = Extract<LiveEvent, { type: T }>;
