import { every } from '@tidegate/domain';
import { type FairSlots, openFairSlots } from '@tidegate/domain/sharing';
import { refusal } from '../errors/errors.ts';
import type { EventOf, LiveEvent, Topic } from './live-event.ts';
import { openStream, type Stream, type StreamOptions } from './stream.ts';

/** The most open streams of this process, which operators share fairly, and of one operator. */
const limits = { total: 500, ofOperator: 20 };
/** How often subscriber permissions are checked again. With the second for which a look-up is kept, a stream ends within five. */
const recheckMs = 2_500;

export interface Listening<T extends Topic, Message> extends Pick<StreamOptions<EventOf<T>, Message>, 'toMessages'> {
  topic: T;
  operatorId: string;
  /** Whether the operator may still subscribe. Tokens expire, and operators are disabled. */
  maySubscribe(): Promise<boolean>;
}

/** Committed changes of all processes, and the state of the queues, for the subscribers of this process. */
export interface ChangeFeed {
  receive(events: readonly LiveEvent[]): void;
  /** Begins at once, so that nothing is missed from then on. Throws a refusal if too many streams are open. */
  listen<T extends Topic, Message>(listening: Listening<T, Message>): AsyncIterableIterator<Message>;
  /** Ends the streams of these topics with an error. */
  fail(topics: readonly Topic[], why: Error): void;
  /** The number of open streams, of one topic or of all. */
  count(topic?: Topic): number;
  /** Ends every stream, and refuses new ones. */
  endAll(): void;
}

interface Open {
  topic: Topic;
  operatorId: string;
  stream: Pick<Stream<LiveEvent, unknown>, 'add' | 'end'>;
}

export function openChangeFeed(recheck = recheckMs): ChangeFeed {
  const open = new Set<Open>();
  const slots = openFairSlots({ pool: 'graphql_streams', slots: limits.total, slotsPerOwner: limits.ofOperator });
  let isOpen = true;
  const of = (topics: readonly Topic[]) => [...open].filter(({ topic }) => topics.includes(topic));
  return {
    receive: (events) => {
      for (const { topic, stream } of open) for (const event of events) if (event.type === topic) stream.add(event);
    },
    listen: <T extends Topic, Message>(listening: Listening<T, Message>) => {
      if (!isOpen) throw refusal('SERVICE_UNAVAILABLE', 'no more streams are opened here: try again');
      const release = takeSlot(slots, listening.operatorId);
      const check = async (): Promise<void> => {
        if (!(await listening.maySubscribe())) stream.end(refusal('UNAUTHENTICATED', 'your token is no longer valid'));
      };
      const timer = every(recheck, check, (error) =>
        stream.end(error instanceof Error ? error : new Error(String(error))),
      );
      const stream = openStream<EventOf<T>, Message>({
        toMessages: listening.toMessages,
        ended: () => {
          clearInterval(timer);
          release();
          open.delete(entry);
        },
      });
      const entry: Open = { ...listening, stream };
      open.add(entry);
      return stream.messages;
    },
    fail: (topics, why) => {
      for (const { stream } of of(topics)) stream.end(why);
    },
    count: (topic) => (topic === undefined ? open.size : of([topic]).length),
    endAll: () => {
      isOpen = false;
      for (const { stream } of open) stream.end();
    },
  };
}

/** Throws a refusal if the operator may have no further stream. */
function takeSlot(slots: FairSlots, operatorId: string): () => void {
  const taken = slots.takeNow(operatorId);
  if (taken.ok) return taken.release;
  if (slots.heldBy(operatorId) < limits.ofOperator)
    throw refusal('SERVICE_UNAVAILABLE', `${slots.inUse} streams are open here, and no more can be: try again`);
  const most = limits.ofOperator;
  throw refusal('BAD_USER_INPUT', `you listen to ${most} streams already, at most ${most} are allowed`);
}
