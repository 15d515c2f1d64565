import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { type FailoverHarness, openFailoverHarness } from '../failover/failover-harness.ts';
import type { PatroniNode } from '../failover/patroni-node.ts';
import { underLoad } from '../failover/under-load.ts';

// Three PostgreSQL servers under Patroni with three etcd and HAProxy, as ops/high-availability has them, below the whole service under
// load. Whatever happens to the primary: nothing that was acknowledged is lost, nothing is done twice, creates are answered
// again within 30 s, and who was the primary cannot write.

const answersWithinMs = 30_000;
const takesOverWithinMs = 120_000;
/** Longer than the lease, after which another server is the primary. */
const frozenForMs = 30_000;
/** With TIDEGATE_TEST_DEPTH it is frozen so often in all, for times around the end of its lease. */
const moreFreezes = Number(process.env.TIDEGATE_TEST_DEPTH ?? 1) - 1;

let harness: FailoverHarness;
beforeAll(async () => {
  harness = await openFailoverHarness();
}, 300_000);
afterAll(() => harness?.stop(), 60_000);

interface Loss {
  name: string;
  /** Makes the primary fail. */
  fail(primary: PatroniNode): Promise<void> | void;
  /** Undoes it, once another server is the primary. */
  repair?(before: PatroniNode): Promise<void> | void;
  /** Whether the same server may be the primary again: its Patroni starts it again. */
  maySame?: true;
}

const losses: Loss[] = [
  { name: 'killed', fail: (primary) => primary.killPostgres(), maySame: true },
  { name: 'killed with its Patroni', fail: (primary) => primary.killBoth(), repair: (before) => before.startAgain() },
  { ...frozenFor(frozenForMs), name: 'frozen and woken' },
  {
    name: 'cut off from the store',
    fail: (primary) => primary.cutFromStore(),
    repair: (before) => before.joinStore(),
  },
  { name: 'switched over', fail: (primary) => harness.set.switchOver(primary) },
  ...Array.from({ length: moreFreezes }, (_, n) => ({
    ...frozenFor(17_000 + (n % 10) * 1_000),
    maySame: true as const,
  })),
];

function frozenFor(ms: number): Loss {
  return {
    name: `frozen for ${ms / 1_000} s`,
    fail: async (primary) => {
      primary.freeze();
      await delay(ms);
      // The old primary wakes while another server may still be taking over.
      if (ms !== frozenForMs) primary.wake();
    },
    repair: (before) => before.wake(),
  };
}

test.each(losses.map((loss, n) => ({ ...loss, n })))(
  'PostgreSQL failover: the primary is $name',
  { timeout: 400_000 },
  async (loss) => {
    const { name, fail, repair, maySame, n } = loss;
    const { set, writers } = harness;
    const before = await set.untilWhole();
    const others = set.nodes.filter((node) => maySame || node !== before);
    let after = before;
    let began = 0;
    const seen = await underLoad(harness, `H${n}`, {
      fail: async () => {
        began = performance.now();
        await fail(before);
        const isAccepted = async () => others.some((node) => writers.firstAfter(node.name, began) !== undefined);
        await waitUntil('a server accepts writes', isAccepted, { timeoutMs: takesOverWithinMs });
      },
      repair: async () => {
        await repair?.(before);
        after = await set.untilWhole();
      },
    });
    const { lost, acknowledged } = await writers.lost(set.url);
    console.log(
      `the primary ${name}: ${before.name}, then ${after.name}; ${seen.summary}; ` +
        `${acknowledged} rows acknowledged to direct writers so far, ${lost.length} lost`,
    );
    expect(seen.problems).toEqual([]);
    expect(lost).toEqual([]);
    expect(seen.longestGapMs).toBeLessThan(answersWithinMs * seen.slowness);
    if (!maySame) expect(after.name).not.toBe(before.name);
    const tookOverAt = writers.firstAfter(after.name, began);
    expect(tookOverAt).toBeDefined();
    if (after !== before) expect(writers.acknowledgedBy(before.name, tookOverAt)).toBe(0);
  },
);
