import type { ServerResponse } from 'node:http';
import type { Change } from '@tidegate/domain';

/** Streams of this process, and of one order. A merchant has at the most as many as are still free, so that none can take them all: alone a half. */
const limits = { total: 1_000, ofOrder: 8, unreadBytes: 16_384 };
/** How often a page receives a heartbeat. Its order is read again too, in case a change was not published. */
const beatMs = 15_000;
/** After this the page opens another one. */
const lifetimeMs = 10 * 60_000;

export interface LiveStatus {
  /**
   * Begins to tell a page how its order stands, by marks (`markOf`) that differ when it has to be shown anew. False where
   * no more may be opened. `look` gives the present mark; that it fails is no matter, it is asked again.
   */
  open(order: WatchedOrder, raw: ServerResponse, look: () => Promise<string | null>): boolean;
  /** What any process committed. */
  heard(changes: readonly Change[]): void;
  /** Something was not heard. */
  lost(): void;
  /** Ends every stream, and takes no more. */
  endAll(): void;
  count(): number;
}

interface WatchedOrder {
  merchantId: string;
  orderNo: string;
}

interface Stream {
  raw: ServerResponse;
  sentMark: string | null;
}

/** All streams of one order: it is looked at once for all of them. */
interface Watched {
  look(): Promise<string | null>;
  streams: Set<Stream>;
  state: 'idle' | 'looking' | 'look_again';
}

/** For the checkout pages of one process: server-sent events that say when to look, never what there is to see. */
export function openLiveStatus({ lifetime = lifetimeMs, beat = beatMs, mostStreams = limits.total } = {}): LiveStatus {
  const orders = new Map<string, Watched>();
  const ofMerchants = new Map<string, number>();
  let total = 0;
  let isEnding = false;
  const all = () => [...orders.values()];

  const open: LiveStatus['open'] = ({ merchantId, orderNo }, raw, look) => {
    const watched = orders.get(orderNo) ?? { look, streams: new Set(), state: 'idle' };
    const ofMerchant = ofMerchants.get(merchantId) ?? 0;
    if (isEnding || ofMerchant >= mostStreams - total || watched.streams.size >= limits.ofOrder) return false;
    const stream: Stream = { raw, sentMark: null };
    orders.set(orderNo, watched);
    watched.streams.add(stream);
    total += 1;
    ofMerchants.set(merchantId, ofMerchant + 1);
    const beating = setInterval(() => {
      send(stream, 'event: beat\ndata:\n\n');
      void lookAt(watched);
    }, beat);
    const end = setTimeout(() => raw.end(), lifetime);
    raw.once('close', () => {
      clearInterval(beating);
      clearTimeout(end);
      total -= 1;
      const left = (ofMerchants.get(merchantId) ?? 1) - 1;
      if (left > 0) ofMerchants.set(merchantId, left);
      else ofMerchants.delete(merchantId);
      watched.streams.delete(stream);
      if (watched.streams.size === 0 && orders.get(orderNo) === watched) orders.delete(orderNo);
    });
    send(stream, 'retry: 2000\n\n');
    void lookAt(watched);
    return true;
  };

  return {
    open,
    heard: (changes) => {
      for (const change of changes) {
        const watched = change.type === 'order' ? orders.get(change.orderNo) : undefined;
        if (watched) void lookAt(watched);
      }
    },
    lost: () => void lookAtEach(all()),
    endAll: () => {
      isEnding = true;
      for (const { streams } of all()) for (const { raw } of streams) raw.end();
    },
    count: () => total,
  };
}

/** One after the other: the database may just have come back. */
async function lookAtEach(orders: readonly Watched[]): Promise<void> {
  for (const watched of orders) await lookAt(watched);
}

/** What comes to pass while it is looked at is looked at afterwards, once. */
async function lookAt(watched: Watched): Promise<void> {
  if (watched.state !== 'idle') {
    watched.state = 'look_again';
    return;
  }
  do {
    watched.state = 'looking';
    const mark = await watched.look().catch(() => null);
    if (mark !== null) for (const stream of watched.streams) sendMark(stream, mark);
  } while (isCalledAgain(watched) && watched.streams.size > 0);
  watched.state = 'idle';
}

/** A function, since the compiler does not see that others change it meanwhile. */
function isCalledAgain({ state }: Watched): boolean {
  return state === 'look_again';
}

function sendMark(stream: Stream, mark: string): void {
  if (stream.sentMark === mark) return;
  stream.sentMark = mark;
  send(stream, `event: status\ndata: ${mark}\n\n`);
}

function send({ raw }: Stream, text: string): void {
  // Who does not read is let go, and comes again.
  if (raw.writableLength > limits.unreadBytes) raw.destroy();
  else if (!raw.writableEnded && !raw.destroyed) raw.write(text);
}
