import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FairSlots, openFairSlots, type TakenSlot } from './fair-slots.ts';
import type { PoolsObserver } from './pools.ts';

const create = { priority: 'create', maxWaitMs: 0 } as const;

function releaseOf(taken: TakenSlot): () => void {
  if (!taken.ok) throw new Error('no slot');
  return taken.release;
}

function takeAll(slots: FairSlots, owner: string): (() => void)[] {
  const releases: (() => void)[] = [];
  for (let taken = slots.takeNow(owner); taken.ok; taken = slots.takeNow(owner)) releases.push(taken.release);
  return releases;
}

test('a greedy merchant gets three quarters of the slots, and quiet ones find room', () => {
  const slots = openFairSlots({ pool: 'create_slots', slots: 200 });
  expect(takeAll(slots, 'greedy')).toHaveLength(150);
  for (let nth = 0; nth < 9; nth++)
    for (let one = 0; one < 3; one++) expect(slots.takeNow(`quiet ${nth}`).ok).toBe(true);
});

test('the last slot is for a merchant that holds none', () => {
  const slots = openFairSlots({ pool: 'create_slots', slots: 2 });
  expect(takeAll(slots, 'a')).toHaveLength(1);
  expect(slots.takeNow('b').ok).toBe(true);
  expect(slots.takeNow('c').ok).toBe(false);
});

test('a refused merchant learns when one of its own slots is expected', async () => {
  const slots = openFairSlots({ pool: 'create_slots', slots: 10 });
  expect(takeAll(slots, 'greedy')).toHaveLength(7);
  const refused = await slots.take({ owner: 'greedy', ...create });
  // Nothing was released yet: one second for each hold, seven holds.
  expect(refused).toEqual({ ok: false, retryAfterMs: Math.ceil(1_000 / 7) });
});

test('a released slot goes to the next that waits, to a payout before a create', async () => {
  const slots = openFairSlots({ pool: 'create_slots', slots: 1 });
  const release = releaseOf(slots.takeNow('a'));
  const got: string[] = [];
  const wait = async (owner: string, priority: 'payout' | 'create') => {
    const taken = await slots.take({ owner, priority, maxWaitMs: 5_000 });
    got.push(`${owner} ${priority}`);
    releaseOf(taken)();
  };
  const all = [wait('b', 'create'), wait('c', 'create'), wait('d', 'payout')];
  expect(slots.waiting).toBe(3);
  release();
  release();
  await Promise.all(all);
  expect(got).toEqual(['d payout', 'b create', 'c create']);
  expect([slots.inUse, slots.waiting]).toEqual([0, 0]);
});

test('who waits too long or is no longer interested is refused, and leaves nothing behind', async () => {
  const figures = { waiting: 0, refused: 0 };
  const observer: PoolsObserver = {
    poolWaiting: (_, change) => {
      figures.waiting += change;
    },
    poolRefused: () => {
      figures.refused++;
    },
  };
  const slots = openFairSlots({ pool: 'create_slots', slots: 1, observer });
  const release = releaseOf(slots.takeNow('a'));
  const ending = new AbortController();
  const late = slots.take({ owner: 'b', priority: 'payout', maxWaitMs: 1_001, signal: AbortSignal.timeout(10) });
  const ended = slots.take({ owner: 'c', priority: 'payout', maxWaitMs: 60_000, signal: ending.signal });
  expect(figures.waiting).toBe(2);
  ending.abort();
  expect(await late).toMatchObject({ ok: false });
  expect(await ended).toMatchObject({ ok: false });
  expect(figures).toEqual({ waiting: 0, refused: 2 });
  release();
  expect([slots.inUse, slots.waiting]).toEqual([0, 0]);
});

test('at random: never more slots than there are, and a merchant without one gets one while any is free', () => {
  const move = fc.record({ owner: fc.constantFrom('a', 'b', 'c', 'd'), releases: fc.boolean() });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(move, { maxLength: 80 }), (count, moves) => {
      const slots = openFairSlots({ pool: 'create_slots', slots: count });
      const held = new Map<string, (() => void)[]>();
      for (const { owner, releases } of moves) {
        const own = held.get(owner) ?? [];
        if (releases) own.pop()?.();
        else {
          const free = count - slots.inUse;
          const taken = slots.takeNow(owner);
          if (own.length === 0) expect(taken.ok).toBe(free > 0);
          if (taken.ok) own.push(taken.release);
        }
        held.set(owner, own);
        const inUse = [...held.values()].reduce((sum, some) => sum + some.length, 0);
        expect(slots.inUse).toBe(inUse);
        expect(inUse).toBeLessThanOrEqual(count);
      }
    }),
  );
});
