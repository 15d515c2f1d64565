import type { ServerResponse } from 'node:http';
import { type Change, every } from '@tidegate/domain';
import { openFairSlots } from '@tidegate/domain/sharing';

/** The most streams of this process, which merchants share fairly, and of one order. */
const limits = { total: 1_000, ofOrder: 8, unreadBytes: 16_384 };
/** How often a page receives a heartbeat. Its order is read again too, in case a change was not published. */
const beatMs = 15_000;
/** After this time the page opens a new stream. */
const lifetimeMs = 10 * 60_000;

export interface LiveStatus {
  /**
   * Opens a stream of marks (`markOf`) for a page. A new mark means that the page has changed. Returns false if no more
   * streams may be opened. `look` reads the current mark; if it fails, it is called again.
   */
  open(order: WatchedOrder, raw: ServerResponse, look: () => Promise<string | null>): boolean;
  /** Receives the committed changes of all processes. */
  receive(changes: readonly Change[]): void;
  /** Some changes were not received. */
  lost(): void;
  /** Ends every stream, and refuses new ones. */
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

/** All streams of one order. Its mark is read once for all of them. */
interface Watched {
  merchantId: string;
  look(): Promise<string | null>;
  streams: Set<Stream>;
  state: 'idle' | 'looking' | 'look_again';
}

/**
 * Live status for the checkout pages of one process. A server-sent event only says that a page has changed; the page
 * then loads itself again.
 */
export function openLiveStatus({ lifetime = lifetimeMs, beat = beatMs, maxStreams = limits.total } = {}): LiveStatus {
  const orders = new Map<string, Watched>();
  const slots = openFairSlots({ pool: 'checkout_streams', slots: maxStreams });
  let isEnding = false;
  const all = () => [...orders.values()];

  const open: LiveStatus['open'] = ({ merchantId, orderNo }, raw, look) => {
    const watched = orders.get(orderNo) ?? { merchantId, look, streams: new Set(), state: 'idle' };
    // A page that is gone already would keep its slot: its connection closes no second time.
    if (isEnding || raw.destroyed || watched.streams.size >= limits.ofOrder) return false;
    const slot = slots.takeNow(merchantId);
    if (!slot.ok) return false;
    const stream: Stream = { raw, sentMark: null };
    orders.set(orderNo, watched);
    watched.streams.add(stream);
    const sendBeat = (): Promise<void> => {
      send(stream, 'event: beat\ndata:\n\n');
      return lookAt(watched);
    };
    const beating = every(beat, sendBeat, () => raw.destroy());
    const end = setTimeout(() => raw.end(), lifetime);
    raw.once('close', () => {
      clearInterval(beating);
      clearTimeout(end);
      slot.release();
      watched.streams.delete(stream);
      if (watched.streams.size === 0 && orders.get(orderNo) === watched) orders.delete(orderNo);
    });
    send(stream, 'retry: 2000\n\n');
    void lookAt(watched);
    return true;
  };

  return {
    open,
    receive: (changes) => {
      for (const change of changes) {
        if (change.type === 'order') void lookAtEach([orders.get(change.orderNo)].filter((one) => one !== undefined));
        // A case names no order, and few change.
        if (change.type === 'case') void lookAtEach(all().filter(({ merchantId }) => merchantId === change.merchantId));
      }
    },
    lost: () => void lookAtEach(all()),
    endAll: () => {
      isEnding = true;
      for (const { streams } of all()) for (const { raw } of streams) raw.end();
    },
    count: () => slots.inUse,
  };
}

/** One after the other, because the database may just have come back. */
async function lookAtEach(orders: readonly Watched[]): Promise<void> {
  for (const watched of orders) await lookAt(watched);
}

/** Changes during a read are read once more afterwards. */
async function lookAt(watched: Watched): Promise<void> {
  if (watched.state !== 'idle') {
    watched.state = 'look_again';
    return;
  }
  do {
    watched.state = 'looking';
    const mark = await readMark(watched);
    if (mark !== null) for (const stream of watched.streams) sendMark(stream, mark);
  } while (isCalledAgain(watched) && watched.streams.size > 0);
  watched.state = 'idle';
}

/** Null if the mark cannot be read now. */
async function readMark({ look }: Watched): Promise<string | null> {
  try {
    return await look();
  } catch {
    return null;
  }
}

/** This is a function because the compiler does not see that other code changes the state in between. */
function isCalledAgain({ state }: Watched): boolean {
  return state === 'look_again';
}

function sendMark(stream: Stream, mark: string): void {
  if (stream.sentMark === mark) return;
  stream.sentMark = mark;
  send(stream, `event: status\ndata: ${mark}\n\n`);
}

function send({ raw }: Stream, text: string): void {
  // A client that does not read is disconnected, and connects again.
  if (raw.writableLength > limits.unreadBytes) raw.destroy();
  else if (!raw.writableEnded && !raw.destroyed) raw.write(text);
}
