import type { Domain, NotificationWork, Work } from '@tidegate/domain';
import {
  type BacklogRound,
  backlogsOfHost,
  firstOfBacklogs,
  type HostBacklog,
  nextBacklogs,
  releaseStranded,
} from '@tidegate/domain/worker';
import type { DeliverySlots } from './delivery-slots.ts';

/**
 * The number of backlogs that one run of `dispatch` visits, the same number of each merchant. The next run visits the
 * next ones.
 */
const backlogsAtOnce = 500;
/** The most backlogs of one host that a freed slot wakes. */
const maxOfHost = 100;
const behindOlderAtOnce = 200;
/** The most jobs that one call adds for one merchant, however many hosts it has. */
const worksPerMerchant = 16;

/** Adds jobs for parked notifications at hosts that have free slots. */
export interface BacklogWaker {
  /** Wakes the backlogs that follow those of the last call, merchant by merchant, starting over at the end. Returns how many jobs it made. */
  wakeNext(): Promise<number>;
  /** Checks the next notifications that wait for an older one of their order, and releases those that need not wait. */
  releaseStranded(): Promise<void>;
  /** Wakes the backlogs of one host when a slot there is free. A call during a run is served by that run. */
  wakeHost(host: string): Promise<void>;
}

export function openBacklogWaker(options: {
  domain: Domain;
  slots: DeliverySlots;
  add: (queue: Work['queue'], works: readonly Work[]) => Promise<void>;
}): BacklogWaker {
  const { domain, slots, add } = options;
  let round: BacklogRound = { afterMerchant: '', afterHosts: new Map() };
  let releasedUpTo = 0;
  const waking = new Map<string, Promise<void>>();

  const wake = async (backlogs: readonly HostBacklog[]): Promise<number> => {
    const rooms = await slots.room(backlogs);
    const wanted = backlogs.flatMap((backlog, i) => (rooms[i] ? [{ ...backlog, count: rooms[i] }] : []));
    if (wanted.length === 0) return 0;
    const works = shared(wanted, await firstOfBacklogs(domain, wanted));
    // The job that gets a slot there continues with the backlog.
    await Promise.all([...new Set(works.map((work) => work.host))].map((host) => slots.markBacklog(host, true)));
    await Promise.all([...Map.groupBy(works, (work) => work.queue)].map(([queue, some]) => add(queue, some)));
    return works.length;
  };
  const wakeHost = async (host: string): Promise<void> => {
    const backlogs = await backlogsOfHost(domain, host, maxOfHost);
    if (backlogs.length === 0) await slots.markBacklog(host, false);
    else await wake(backlogs);
  };

  return {
    async wakeNext() {
      const next = await nextBacklogs(domain, round, backlogsAtOnce);
      round = next.round;
      const { backlogs } = next;
      return backlogs.length === 0 ? 0 : wake(backlogs);
    },
    async releaseStranded() {
      releasedUpTo = (await releaseStranded(domain, releasedUpTo, behindOlderAtOnce)) ?? 0;
    },
    wakeHost(host) {
      const running = waking.get(host);
      if (running) return running;
      const done = wakeHost(host).finally(() => waking.delete(host));
      waking.set(host, done);
      return done;
    },
  };
}

/**
 * Selects for each host as many jobs as there are slots, over all merchants: first attempts that have waited longest.
 */
function shared(
  wanted: readonly (HostBacklog & { count: number })[],
  works: readonly NotificationWork[],
): NotificationWork[] {
  const roomAt = new Map<string, number>();
  for (const { host, count } of wanted) roomAt.set(host, Math.max(roomAt.get(host) ?? 0, count));
  const tries = { notify: 0, retry: 1 };
  const inOrder = works.toSorted((a, b) => tries[a.queue] - tries[b.queue] || a.dueAt - b.dueAt);
  const atHosts = [...Map.groupBy(inOrder, (work) => work.host)].flatMap(([host, some]) =>
    some.slice(0, roomAt.get(host)),
  );
  return [...Map.groupBy(atHosts, (work) => work.merchantId).values()].flatMap((some) =>
    some.slice(0, worksPerMerchant),
  );
}
