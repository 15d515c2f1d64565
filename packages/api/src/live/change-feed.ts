import { refusal } from '../errors.ts';
import type { EventOf, LiveEvent, Topic } from './live-event.ts';
import { openStream, type Stream, type StreamOptions } from './stream.ts';

/** The most open streams of this process, and of one operator. */
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
  let isOpen = true;
  const of = (topics: readonly Topic[]) => [...open].filter(({ topic }) => topics.includes(topic));
  return {
    receive: (events) => {
      for (const { topic, stream } of open) for (const event of events) if (event.type === topic) stream.add(event);
    },
    listen: <T extends Topic, Message>(listening: Listening<T, Message>) => {
      if (!isOpen) throw refusal('SERVICE_UNAVAILABLE', 'no more streams are opened here: try again');
      refuseTooMany([...open], listening.operatorId);
      const timer = setInterval(() => {
        listening.maySubscribe().then((may) => {
          if (!may) stream.end(refusal('UNAUTHENTICATED', 'your token is no longer valid'));
        }, stream.end);
      }, recheck);
      const stream = openStream<EventOf<T>, Message>({
        toMessages: listening.toMessages,
        ended: () => {
          clearInterval(timer);
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
      for (const { stream } of [...open]) stream.end();
    },
  };
}

function refuseTooMany(open: readonly Open[], operatorId: string): void {
  if (open.length >= limits.total)
    throw refusal('SERVICE_UNAVAILABLE', `${open.length} streams are open here, and no more can be: try again`);
  const own = open.filter((one) => one.operatorId === operatorId).length;
  if (own >= limits.ofOperator)
    throw refusal('BAD_USER_INPUT', `you listen to ${own} streams already, at most ${limits.ofOperator} are allowed`);
}
