import type { Change } from '@tidegate/domain';
import type { QueueDepth } from './read-queues.ts';

/** The events of streams: committed changes, and the state of the queues. */
export type LiveEvent = Change | { type: 'queues'; queues: QueueDepth[] };

export type Topic = LiveEvent['type'];
export type EventOf<T extends Topic> = Extract<LiveEvent, { type: T }>;
