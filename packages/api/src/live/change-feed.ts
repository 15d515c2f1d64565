import type { Change } from '@tidegate/domain';
import { Repeater } from 'graphql-yoga';
import { refusal } from '../errors.ts';

/** Streams that may be open in this process, and of one operator. */
const limits = { total: 500, ofOperator: 20 };
/** Changes that one stream may lag behind before it is ended. The same order or case waits once, however often it moved. */
const lagLimit = 1_000;
/** How often it is asked again whether the one who listens still may. */
const recheckMs = 30_000;

export interface Listening {
  operatorId: string;
  /** Whether a change is for this stream; asked for each, one after the other. */
  wants(change: Change): Promise<boolean>;
  /** Whether its operator still may listen: tokens end, operators are disabled. */
  stillMay(): Promise<boolean>;
}

/** What is committed by any process, for everybody who listens to this one. */
export interface ChangeFeed {
  heard(changes: readonly Change[]): void;
  listen(listening: Listening): AsyncIterableIterator<Change>;
  /** Ends every stream in order, and takes no more. */
  endAll(): void;
}

interface Stream {
  operatorId: string;
  add(change: Change): void;
  end(): void;
}

export function openChangeFeed(recheck = recheckMs): ChangeFeed {
  const streams = new Set<Stream>();
  let isOpen = true;
  return {
    heard: (changes) => {
      for (const stream of streams) for (const change of changes) stream.add(change);
    },
    listen: (listening) => {
      const own = [...streams].filter(({ operatorId }) => operatorId === listening.operatorId).length;
      if (!isOpen || streams.size >= limits.total)
        throw refusal('SERVICE_UNAVAILABLE', 'no more streams can be opened here now; try again');
      if (own >= limits.ofOperator)
        throw refusal(
          'BAD_USER_INPUT',
          `you listen to ${own} streams already, at most ${limits.ofOperator} are allowed`,
        );
      return openStream(listening, streams, recheck);
    },
    endAll: () => {
      isOpen = false;
      for (const stream of streams) stream.end();
    },
  };
}

function openStream(
  { operatorId, wants, stillMay }: Listening,
  streams: Set<Stream>,
  recheck: number,
): AsyncIterableIterator<Change> {
  return new Repeater<Change>(async (push, stop) => {
    const waiting = new Map<string, Change>();
    let sending = false;
    const send = async (): Promise<void> => {
      if (sending) return;
      sending = true;
      for (const [key, change] of waiting) {
        waiting.delete(key);
        if (await wants(change)) await push(change);
      }
      sending = false;
    };
    const stream: Stream = {
      operatorId,
      add: (change) => {
        if (waiting.size >= lagLimit) {
          stop(refusal('SERVICE_UNAVAILABLE', 'this stream was read too slowly; ask again for what you missed'));
          return;
        }
        waiting.set(keyOf(change), change);
        send().catch(stop);
      },
      end: () => stop(),
    };
    const timer = setInterval(() => {
      stillMay().then((may) => {
        if (!may) stop(refusal('UNAUTHENTICATED', 'your token is no longer valid'));
      }, stop);
    }, recheck);
    streams.add(stream);
    // However it ends: by the reader, by us, or by an error.
    await stop;
    clearInterval(timer);
    streams.delete(stream);
  });
}

function keyOf(change: Change): string {
  return change.type === 'order' ? change.orderNo : `${change.merchantId} ${change.caseNo}`;
}
