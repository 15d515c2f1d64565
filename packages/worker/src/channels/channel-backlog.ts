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

/**
 * Shares the jobs of one queue between channels. Work of a channel without free slots waits in that channel's backlog,
 * in memory, and holds no job. A freed slot takes the next from there. If the process dies, the waiting rows are still
 * due, and the dispatcher finds them.
 */
export interface ChannelBacklog {
  /**
   * Runs `work` now, keeps it until a slot of the channel is free, or drops it. Work with the same `key` waits only
   * once.
   */
  place(channelId: string, key: string, work: () => Promise<void>): Placed;
  /** Drops all waiting work, and accepts no more. */
  close(): void;
}

interface State {
  running: number;
  waiting: Map<string, () => Promise<void>>;
}

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
  const run = async (channelId: string, state: State, work: () => Promise<void>): Promise<void> => {
    state.running += 1;
    try {
      await work();
    } finally {
      state.running -= 1;
      startWaiting(channelId, state);
    }
  };
  const startWaiting = (channelId: string, state: State): void => {
    for (const [key, work] of state.waiting) {
      if (state.running >= limitOf(channelId)) return;
      state.waiting.delete(key);
      options.started(run(channelId, state, work));
      if (state.waiting.size === shortBacklog && !options.isHanging(channelId)) options.short(channelId);
    }
    if (state.running === 0 && state.waiting.size === 0) states.delete(channelId);
  };

  return {
    place(channelId, key, work) {
      const state = states.get(channelId) ?? { running: 0, waiting: new Map() };
      states.set(channelId, state);
      if (state.running < limitOf(channelId))
        return { as: 'runs', isCrowded: false, ended: run(channelId, state, work) };
      const ended = Promise.resolve();
      const waits = state.waiting.has(key) || (!isClosed && state.waiting.size < maxWaiting);
      if (!waits) return { as: 'channel_full', isCrowded: true, ended };
      state.waiting.set(key, work);
      const isCrowded = options.isHanging(channelId) || state.waiting.size > maxWaiting / 2;
      return { as: 'waits', isCrowded, ended };
    },
    close() {
      isClosed = true;
      for (const { waiting } of states.values()) waiting.clear();
    },
  };
}
