import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';
import { type FrameReader, findCommitAnswer, readFrames } from './postgres-frames.ts';

/** A TCP proxy to a server, controlled by a test. Every fault lasts until `repair`. */
export interface FaultProxy {
  /** The target's URL, with the proxy's address in it. */
  readonly url: string;
  /** Everything passes again, after what has waited. Connections that were silenced stay silent. */
  repair(): void;
  /** Each piece of data arrives this much later, in both directions. */
  delay(ms: number): void;
  /** Nothing arrives until `repair`. Then everything that waited arrives, late. */
  freeze(): void;
  /** Nothing arrives any more, and never will on the present connections, as if the other machine had lost its power. */
  silence(): void;
  /** Ends every connection, and every new one at once. */
  refuse(): void;
  /** Of the next `times` replies only the first half arrives; then their connection ends. */
  cutReplies(times: number): void;
  /** Cuts the next `times` connections between a COMMIT that PostgreSQL carried out and its answer. */
  cutCommits(times: number): void;
  /** How many replies and commits were cut since the start. */
  cuts(): number;
  close(): Promise<void>;
}

interface State {
  mode: 'open' | 'frozen' | 'refusing';
  delayMs: number;
  repliesToCut: number;
  commitsToCut: number;
  cuts: number;
}

/** One direction of a connection. */
interface Way {
  readonly from: Socket;
  readonly to: Socket;
  /** Set where what passes are PostgreSQL's answers. */
  readonly frames: FrameReader | null;
  readonly isReply: boolean;
  /** Bytes to pass on, and when. Null is the end of the stream. */
  readonly waiting: { bytes: Buffer | null; dueAt: number }[];
  waitingBytes: number;
  timer: NodeJS.Timeout | undefined;
}

interface Link {
  readonly ways: readonly [Way, Way];
  /** `silent`: nothing passes any more. `over`: it was cut. */
  condition: 'whole' | 'silent' | 'over';
}

/** What one direction keeps before its sender has to wait. */
const MAX_WAITING_BYTES = 1_000_000;
const WHOLE: Omit<State, 'cuts'> = { mode: 'open', delayMs: 0, repliesToCut: 0, commitsToCut: 0 };

/** Opens a proxy to the server that `target` names, on a free loopback port. */
export async function proxyTo(target: string): Promise<FaultProxy> {
  const links = new Set<Link>();
  const state: State = { ...WHOLE, cuts: 0 };
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    if (state.mode === 'refusing') near.on('error', () => {}).destroy();
    else connect(near, new URL(target), state, links);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const cutAll = (): void => {
    for (const link of links) cut(link);
  };
  return {
    url: url.href.replace(/\/$/, ''),
    repair: () => {
      Object.assign(state, WHOLE);
      for (const link of links) for (const way of link.ways) pass(link, way, state);
    },
    delay: (ms) => {
      state.delayMs = ms;
    },
    freeze: () => {
      state.mode = 'frozen';
    },
    silence: () => {
      state.mode = 'frozen';
      for (const link of links) link.condition = 'silent';
    },
    refuse: () => {
      state.mode = 'refusing';
      cutAll();
    },
    cutReplies: (times) => {
      state.repliesToCut = times;
    },
    cutCommits: (times) => {
      state.commitsToCut = times;
    },
    cuts: () => state.cuts,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      cutAll();
      await closed;
    },
  };
}

function connect(near: Socket, { protocol, hostname, port }: URL, state: State, links: Set<Link>): void {
  const far = createConnection({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true });
  const frames = protocol.startsWith('postgres') ? readFrames() : null;
  const idle = { waitingBytes: 0, timer: undefined };
  const link: Link = {
    ways: [
      { from: near, to: far, isReply: false, frames: null, waiting: [], ...idle },
      { from: far, to: near, isReply: true, frames, waiting: [], ...idle },
    ],
    condition: 'whole',
  };
  links.add(link);
  for (const way of link.ways) {
    const forwardLater = (bytes: Buffer | null): void => {
      way.waiting.push({ bytes, dueAt: performance.now() + state.delayMs });
      way.waitingBytes += bytes?.length ?? 0;
      if (way.waitingBytes > MAX_WAITING_BYTES) way.from.pause();
      pass(link, way, state);
    };
    way.from.on('data', forwardLater);
    way.from.on('end', () => forwardLater(null));
    way.from.on('error', () => forwardLater(null));
    way.from.on('close', () => {
      if (link.condition === 'over' || link.ways.every(({ from }) => from.destroyed)) links.delete(link);
    });
  }
}

/** Passes on what is due in one direction, as far as the present fault lets it. */
function pass(link: Link, way: Way, state: State): void {
  clearTimeout(way.timer);
  while (link.condition === 'whole' && state.mode !== 'frozen') {
    const next = way.waiting[0];
    if (!next) return;
    const waitMs = next.dueAt - performance.now();
    if (waitMs > 0) {
      way.timer = setTimeout(pass, Math.ceil(waitMs), link, way, state);
      return;
    }
    way.waiting.shift();
    if (next.bytes === null) {
      way.to.end();
      continue;
    }
    way.waitingBytes -= next.bytes.length;
    if (way.waitingBytes <= MAX_WAITING_BYTES) way.from.resume();
    const length = cutWithin(way, next.bytes, state);
    if (length === null) {
      way.to.write(next.bytes);
      continue;
    }
    state.cuts += 1;
    link.condition = 'over';
    way.to.write(next.bytes.subarray(0, length), () => cut(link));
  }
}

/** How many bytes of a reply still arrive before its connection is cut; null: all, and it is not cut. */
function cutWithin(way: Way, bytes: Buffer, state: State): number | null {
  const commitAt = way.frames && findCommitAnswer(way.frames, bytes);
  if (commitAt !== null && state.commitsToCut > 0) {
    state.commitsToCut -= 1;
    return commitAt;
  }
  if (!way.isReply || state.repliesToCut === 0 || bytes.length < 2) return null;
  state.repliesToCut -= 1;
  return bytes.length >> 1;
}

function cut(link: Link): void {
  link.condition = 'over';
  for (const { from, timer } of link.ways) {
    clearTimeout(timer);
    from.destroy();
  }
}
