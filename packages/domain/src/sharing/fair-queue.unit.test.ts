import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import { mayHold } from './fair-share.ts';
import { headStart, type Priority, passedOverLimit, priorities } from './priority.ts';
import type { Ticket } from './ticket-list.ts';

interface Work {
  owner: string;
  priority: Priority;
  nth: number;
}

function fill(queue: FairQueue<Work>, owner: string, count: number, priority: Priority = 'create'): void {
  for (let nth = 0; nth < count; nth++) {
    if (!queue.add({ owner, priority, nth }, owner, priority)) throw new Error(`no place for ${owner}`);
  }
}

function serve(queue: FairQueue<Work>, turns: number): Work[] {
  return Array.from({ length: turns }, () => queue.next()?.value).filter((one) => one !== undefined);
}

const countOf = (served: readonly Work[], owner: string): number => served.filter((one) => one.owner === owner).length;

test('a quiet merchant is served before what a greedy one queued earlier', () => {
  const queue = new FairQueue<Work>({ places: 1_000 });
  fill(queue, 'greedy', 500);
  serve(queue, 10);
  fill(queue, 'quiet', 1);
  expect(queue.turnsBefore('other', 'create')).toBe(2);
  expect(countOf(serve(queue, 2), 'quiet')).toBe(1);
});

test('the turns of one merchant keep their order', () => {
  const queue = new FairQueue<Work>({ places: 100 });
  fill(queue, 'a', 20);
  expect(serve(queue, 20).map(({ nth }) => nth)).toEqual(Array.from({ length: 20 }, (_, nth) => nth));
});

test('merchants get turns in proportion to their weights', () => {
  const queue = new FairQueue<Work>({ places: 10_000, weightOf: (owner) => (owner === 'heavy' ? 3 : 1) });
  fill(queue, 'heavy', 400);
  fill(queue, 'light', 400);
  expect(countOf(serve(queue, 400), 'heavy')).toBe(300);
});

test('payouts overtake polls and polls overtake creates, of all merchants', () => {
  const queue = new FairQueue<Work>({ places: 1_000 });
  for (const owner of ['a', 'b', 'c']) fill(queue, owner, 20);
  serve(queue, 9);
  fill(queue, 'b', 1, 'poll');
  fill(queue, 'c', 1, 'payout');
  expect(serve(queue, 2)).toMatchObject([
    { owner: 'c', priority: 'payout' },
    { owner: 'b', priority: 'poll' },
  ]);
});

test('a merchant that sends nothing but payouts gets no more than its share and the head start', () => {
  const queue = new FairQueue<Work>({ places: 10_000 });
  fill(queue, 'payouts', 500, 'payout');
  fill(queue, 'creates', 500);
  expect(countOf(serve(queue, 400), 'payouts')).toBeLessThanOrEqual(200 + headStart.payout);
});

test('the creates of a merchant with endless payouts of its own get some of its turns', () => {
  const queue = new FairQueue<Work>({ places: 10_000 });
  fill(queue, 'a', 100);
  fill(queue, 'a', 1_000, 'payout');
  const creates = serve(queue, 900).filter(({ priority }) => priority === 'create').length;
  expect(creates).toBe(Math.floor(900 / (passedOverLimit + 1)));
});

test('one owner cannot fill the queue, and the last place is kept for one that has none', () => {
  const queue = new FairQueue<Work>({ places: 100 });
  let added = 0;
  while (queue.add({ owner: 'greedy', priority: 'create', nth: added }, 'greedy', 'create')) added++;
  expect(added).toBe(75);
  fill(queue, 'quiet', 5);
  expect(queue.waitingOf('quiet')).toBe(5);
});

test('an owner that may not be served is passed over, and keeps its place', () => {
  const queue = new FairQueue<Work>({ places: 100 });
  fill(queue, 'a', 2);
  fill(queue, 'b', 2);
  expect(queue.next((owner) => owner !== 'a')?.value.owner).toBe('b');
  expect(queue.next(() => false)).toBeNull();
  expect(queue.next()?.value.owner).toBe('a');
  expect(queue.size).toBe(2);
});

test('an owner that comes back while others wait has not lost what it used', () => {
  const queue = new FairQueue<Work>({ places: 1_000 });
  fill(queue, 'others', 100);
  fill(queue, 'bursts', 1);
  fill(queue, 'bursts', 10, 'payout');
  serve(queue, 11);
  expect(queue.waitingOf('bursts')).toBe(0);
  fill(queue, 'bursts', 5);
  // It used ten turns by its head start: now the others get as many.
  expect(countOf(serve(queue, 8), 'bursts')).toBe(0);
});

const owners = fc.constantFrom('a', 'b', 'c', 'd', 'platform');
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('add' as const),
      owner: owners,
      priority: fc.constantFrom(...priorities),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('next' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove' as const), nth: fc.nat(40) }) },
);

test('at random: each value leaves once, nothing is lost, and no one has more places than its share', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new FairQueue<Work>({ places: 20 });
      let waiting: Ticket<Work>[] = [];
      const ofOwner = (name: string): number => waiting.filter(({ owner }) => owner === name).length;
      for (const [nth, one] of steps.entries()) {
        if (one.type === 'add') {
          const isAllowed = mayHold(ofOwner(one.owner), 20 - waiting.length);
          const ticket = queue.add({ owner: one.owner, priority: one.priority, nth }, one.owner, one.priority);
          expect(ticket !== null).toBe(isAllowed);
          if (ticket) waiting.push(ticket);
        } else {
          const ticket = one.type === 'next' ? queue.next() : (waiting[one.nth] ?? null);
          if (one.type === 'next') expect(ticket === null).toBe(waiting.length === 0);
          else if (ticket) expect(queue.remove(ticket)).toBe(true);
          waiting = waiting.filter((other) => other !== ticket);
          if (ticket) expect(queue.remove(ticket)).toBe(false);
        }
        expect(queue.size).toBe(waiting.length);
        expect(queue.owners).toBe(new Set(waiting.map(({ owner }) => owner)).size);
      }
      const rest = serve(queue, 100);
      expect(new Set(rest)).toEqual(new Set(waiting.map(({ value }) => value)));
    }),
  );
});

test('at random: between two owners that wait all the time, neither is ahead by more than the head start', () => {
  const mix = fc.array(fc.record({ owner: owners, priority: fc.constantFrom(...priorities) }), { maxLength: 60 });
  fc.assert(
    fc.property(mix, fc.integer({ min: 20, max: 150 }), (others, turns) => {
      const queue = new FairQueue<Work>({ places: 10_000 });
      fill(queue, 'urgent', 200, 'payout');
      fill(queue, 'patient', 200);
      for (const [nth, one] of others.entries()) queue.add({ ...one, nth }, one.owner, one.priority);
      const served = serve(queue, turns);
      expect(countOf(served, 'urgent') - countOf(served, 'patient')).toBeLessThanOrEqual(headStart.payout + 1);
      expect(countOf(served, 'patient') - countOf(served, 'urgent')).toBeLessThanOrEqual(1);
    }),
  );
});

test('at random: a merchant that comes new is served within the turns that were estimated', () => {
  fc.assert(
    fc.property(
      fc.array(owners, { maxLength: 80 }),
      fc.nat(30),
      fc.integer({ min: 1, max: 4 }),
      (before, turns, own) => {
        const queue = new FairQueue<Work>({ places: 10_000 });
        for (const owner of before) fill(queue, owner, 1);
        serve(queue, turns);
        fill(queue, 'new', own - 1);
        const estimated = queue.turnsBefore('new', 'create');
        queue.add({ owner: 'new', priority: 'create', nth: -1 }, 'new', 'create');
        expect(serve(queue, queue.size).findIndex(({ nth }) => nth === -1)).toBeLessThanOrEqual(estimated);
      },
    ),
  );
});
