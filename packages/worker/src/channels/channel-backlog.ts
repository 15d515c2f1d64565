import { FairQueue, mayHold, type Priority } from '@tidegate/domain/sharing';

/** The part of a queue's jobs in this process that one channel may use. */
const part = 4;
/** The part of its share that a hanging channel may use. This is enough to notice that it answers again. */
const partWhileHanging = 4;
/** The most orders of one channel that wait in this process for a free slot. All others stay due in the database. */
const maxWaiting = 512;
/** When a backlog has shrunk to this part of `maxWaiting`, more jobs are requested. */
const shortBacklog = 128;

export interface Placed {
  /** `channel_full`: the work was dropped, and is still due in the database. */
  as: 'runs' | 'waits' | 'channel_full';
  /** Further jobs of this channel would only wait or be dropped. */
  isCrowded: boolean;
  /** Resolves when the work is done, or at once if it does not run now. */
  ended: Promise<void>;
}

/** Work for an order at a channel. */
export interface Piece {
  /** The same work waits only once. */
  key: string;
  /** Its merchant. */
  owner: string;
  priority: Priority;
  run: () => Promise<void>;
}

/**
 * Shares the jobs of one queue between channels, and the share of a channel between merchants. Work without a free slot waits in the
 * channel's backlog, in memory, and holds no job. A freed slot takes the next from there. If the process dies, the
 * waiting rows are still due, and the dispatcher finds them.
 */
export interface ChannelBacklog {
  /** Runs the work now, keeps it until a slot of the channel is free for its merchant, or drops it. */
  place(channelId: string, piece: Piece): Placed;
  /** Drops all waiting work, and accepts no more. */
  close(): void;
}

interface State {
  running: number;
  runningOf: Map<string, number>;
  waiting: FairQueue<Piece>;
  keys: Set<string>;
}

const emptyState = (): State => ({
  running: 0,
  runningOf: new Map(),
  waiting: new FairQueue<Piece>({ places: maxWaiting }),
  keys: new Set(),
});

export function openChannelBacklog(options: {
  concurrency: number;
  isHanging: (channelId: string) => boolean;
  /** Called for each piece of work that leaves the backlog, with a promise of its end. */
  started: (ended: Promise<void>) => void;
  /** Called when the backlog of a responding channel has become short, to request more jobs. */
  short: (channelId: string) => void;
}): ChannelBacklog {
  const share = Math.max(1, Math.floor(options.concurrency / part));
  const shareWhileHanging = Math.max(1, Math.floor(share / partWhileHanging));
  const states = new Map<string, State>();
  let isClosed = false;

  const limitOf = (channelId: string): number => (options.isHanging(channelId) ? shareWhileHanging : share);
  const mayRun = (channelId: string, { running, runningOf }: State, owner: string): boolean =>
    mayHold(runningOf.get(owner) ?? 0, limitOf(channelId) - running);
  const run = async (channelId: string, state: State, { owner, run }: Piece): Promise<void> => {
    count(state, owner, 1);
    try {
      await run();
    } finally {
      count(state, owner, -1);
      startWaiting(channelId, state);
    }
  };
  const startWaiting = (channelId: string, state: State): void => {
    const { waiting, keys } = state;
    while (state.running < limitOf(channelId)) {
      const next = waiting.next((owner) => mayRun(channelId, state, owner));
      if (!next) break;
      keys.delete(next.value.key);
      options.started(run(channelId, state, next.value));
      if (waiting.size === shortBacklog && !options.isHanging(channelId)) options.short(channelId);
    }
    if (state.running === 0 && waiting.size === 0) states.delete(channelId);
  };

  return {
    place(channelId, piece) {
      const state = states.get(channelId) ?? emptyState();
      states.set(channelId, state);
      const { waiting, keys } = state;
      if (waiting.waitingOf(piece.owner) === 0 && mayRun(channelId, state, piece.owner))
        return { as: 'runs', isCrowded: false, ended: run(channelId, state, piece) };
      const ended = Promise.resolve();
      const isKnown = keys.has(piece.key);
      if (!isKnown && (isClosed || !waiting.add(piece, piece.owner, piece.priority)))
        return { as: 'channel_full', isCrowded: true, ended };
      keys.add(piece.key);
      return { as: 'waits', isCrowded: options.isHanging(channelId) || waiting.size > maxWaiting / 2, ended };
    },
    close() {
      isClosed = true;
      for (const state of states.values()) {
        state.waiting = new FairQueue<Piece>({ places: maxWaiting });
        state.keys.clear();
      }
    },
  };
}

function count(state: State, owner: string, change: 1 | -1): void {
  state.running += change;
  const now = (state.runningOf.get(owner) ?? 0) + change;
  if (now > 0) state.runningOf.set(owner, now);
  else state.runningOf.delete(owner);
}
