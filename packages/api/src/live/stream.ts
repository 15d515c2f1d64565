import { refusal } from '../errors/errors.ts';
import type { LiveEvent } from './live-event.ts';

/**
 * The most waiting events of one stream; then it is ended. Several changes of the same order, case, approval or queues count
 * as one.
 */
const lagLimit = 5_000;
/** The most events processed together. */
const batchLimit = 100;

export interface StreamOptions<Event extends LiveEvent, Message> {
  /**
   * The messages for these events, in their order, read at this moment. Events that are not for this stream have none.
   */
  toMessages(events: Event[]): Promise<Message[]>;
  /** Called once at the end of the stream. */
  ended(): void;
}

/** The messages for one client. Nothing is read before the client asks for it, so that it is current. */
export interface Stream<Event extends LiveEvent, Message> {
  add(event: Event): void;
  /** Ends the stream, with or without an error for the client. Messages that are already read are sent before. */
  end(error?: Error): void;
  readonly messages: AsyncIterableIterator<Message>;
}

export function openStream<Event extends LiveEvent, Message>({
  toMessages,
  ended,
}: StreamOptions<Event, Message>): Stream<Event, Message> {
  const waiting = new Map<string, Event>();
  let ready: Message[] = [];
  let ending: { error: Error | undefined } | null = null;
  let woken = Promise.withResolvers<void>();

  const end = (error?: Error): void => {
    if (ending) return;
    ending = { error };
    waiting.clear();
    woken.resolve();
    ended();
  };
  const takeBatch = (): Event[] => {
    const batch = waiting.entries().take(batchLimit).toArray();
    for (const [key] of batch) waiting.delete(key);
    return batch.map(([, event]) => event);
  };
  const next = async (): Promise<IteratorResult<Message, undefined>> => {
    while (ready.length === 0 && !ending) {
      woken = Promise.withResolvers<void>();
      if (waiting.size === 0) await woken.promise;
      else ready = await toMessages(takeBatch()).catch((error: unknown) => failed(error));
    }
    const value = ready.shift();
    if (value !== undefined) return { value, done: false };
    const { error } = ending ?? {};
    ending = { error: undefined };
    if (error) throw error;
    return { value: undefined, done: true };
  };
  const failed = (error: unknown): Message[] => {
    end(error instanceof Error ? error : new Error(String(error)));
    return [];
  };
  const messages: AsyncIterableIterator<Message> = {
    [Symbol.asyncIterator]: () => messages,
    next,
    return: async () => {
      ready = [];
      end();
      return { value: undefined, done: true };
    },
  };
  return {
    add: (event) => {
      if (ending) return;
      const key = keyOf(event);
      if (waiting.size >= lagLimit && !waiting.has(key)) {
        end(
          refusal('SERVICE_UNAVAILABLE', 'this stream was read too slowly: listen again, and ask for what you missed'),
        );
        return;
      }
      waiting.set(key, event);
      woken.resolve();
    },
    end,
    messages,
  };
}

function keyOf(event: LiveEvent): string {
  switch (event.type) {
    case 'order':
      return event.orderNo;
    case 'case':
      return `${event.merchantId} ${event.caseNo}`;
    case 'approval':
      return event.approvalId;
    case 'queues':
      return '';
    default:
      return event satisfies never;
  }
}
