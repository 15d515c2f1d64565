import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { BatchRunners } from './batch-runners.ts';
import type { Waiting } from './held-merchants.ts';
import { merchantsOf, ReadyCommands } from './ready-commands.ts';
import type { WriterOptions } from './writer-options.ts';

// Which commands are in a batch, and when a batch begins. The batches do nothing here: each test ends them itself.

interface Batch {
  /** Merchant and number of each command, for example A1. */
  names: string[];
  /** The merchants of its commands, each once. */
  merchants: string[];
  end(): Promise<void>;
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runners whose batches are collected in `batches`. */
function openRunners({ batchSize = 200, batchesAtOnce = 2 } = {}) {
  const ready = new ReadyCommands();
  const batches: Batch[] = [];
  const run = (batch: Waiting[]): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const names = batch.map(({ merchantId, since }) => `${merchantId}${since}`);
    const end = async (): Promise<void> => {
      resolve();
      await tick();
      await tick();
    };
    const merchants = [...new Set(batch.flatMap(merchantsOf))];
    batches.push({ names, merchants, end });
    return promise;
  };
  const runners = new BatchRunners({ batchSize, batchesAtOnce } as WriterOptions, ready, run);
  const numbers = new Map<string, number>();
  const add = (merchantId: string, otherMerchantId: string | null = null): string => {
    const since = (numbers.get(merchantId) ?? 0) + 1;
    numbers.set(merchantId, since);
    ready.add(waiting(merchantId, since, otherMerchantId));
    runners.start();
    return `${merchantId}${since}`;
  };
  return { batches, add, addMany: (prefix: string, count: number) => range(count).map((i) => add(`${prefix}${i}-`)) };
}

const waiting = (merchantId: string, since: number, otherMerchantId: string | null = null): Waiting =>
  ({ merchantId, otherMerchantId, since }) as Waiting;
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const twoOnly = { minLength: 2, maxLength: 2 };
const sizes = (batches: readonly Batch[]): number[] => batches.map(({ names }) => names.length);

afterEach(() => {
  vi.useRealTimers();
});

test('commands that arrive in one tick share a batch', async () => {
  const { batches, addMany } = openRunners();
  const names = addMany('A', 50);
  await tick();
  expect(batches).toMatchObject([{ names }]);
});

test('during a batch, fewer than 32 commands wait for its end', async () => {
  const { batches, add, addMany } = openRunners();
  add('A');
  await tick();
  addMany('B', 31);
  await tick();
  expect(sizes(batches)).toEqual([1]);
  await batches[0]?.end();
  expect(sizes(batches)).toEqual([1, 31]);
});

test('during a batch, 32 commands of other merchants begin a second one, and no third', async () => {
  const { batches, add, addMany } = openRunners();
  add('A');
  await tick();
  addMany('B', 32);
  await tick();
  addMany('C', 100);
  await tick();
  expect(sizes(batches)).toEqual([1, 32]);
  await batches[1]?.end();
  expect(sizes(batches)).toEqual([1, 32, 100]);
});

test('merchants that always have an unanswered command are in two batches at once', async () => {
  const { batches, addMany } = openRunners();
  addMany('A', 10);
  for (let round = 0; round < 5; round += 1) {
    await tick();
    addMany('A', 10);
    addMany('B', 40);
  }
  await tick();
  expect(sizes(batches)).toEqual([10, 40]);
});

test('a merchant is in one batch at a time, and its commands keep their order', async () => {
  const { batches, add, addMany } = openRunners();
  const [first] = [add('A')];
  await tick();
  const [second, third] = [add('A'), add('A')];
  addMany('B', 40);
  await tick();
  expect(batches[0]?.names).toEqual([first]);
  expect(batches[1]?.names).toHaveLength(40);
  await batches[0]?.end();
  expect(batches).toHaveLength(2);
  await batches[1]?.end();
  expect(batches[2]?.names).toEqual([second, third]);
});

test('commands that do not fit into a batch begin a second one', async () => {
  const { batches, addMany } = openRunners({ batchSize: 40 });
  addMany('A', 72);
  await tick();
  await tick();
  expect(sizes(batches)).toEqual([40, 32]);
});

test('commands that are queued again stay behind those that came earlier', () => {
  const ready = new ReadyCommands();
  for (const since of [1, 3]) ready.add(waiting('A', since));
  ready.putBack([waiting('B', 2), waiting('B', 4)]);
  expect(ready.take(3).map(({ since }) => since)).toEqual([1, 2, 3]);
});

test('a batch has a command of each merchant before it has a second one of any', () => {
  const ready = new ReadyCommands();
  for (let since = 0; since < 5_000; since += 1) ready.add(waiting('greedy', since));
  for (let n = 0; n < 9; n += 1) for (const since of [5_000 + n, 5_100 + n]) ready.add(waiting(`quiet${n}`, since));
  const batch = ready.take(200).map(({ merchantId, since }) => ({ merchantId, since }));
  expect(batch.slice(0, 20).filter(({ merchantId }) => merchantId === 'greedy')).toHaveLength(2);
  expect(batch.filter(({ merchantId }) => merchantId === 'greedy').map(({ since }) => since)).toEqual(range(182));
});

test('a merchant that was in the last batch comes after those that were not', () => {
  const ready = new ReadyCommands();
  for (const since of range(6)) ready.add(waiting('ABC'[since % 3] ?? '', since));
  const names = (batch: Waiting[]): string => batch.map(({ merchantId }) => merchantId).join('');
  const first = ready.take(2);
  ready.end(first);
  const second = ready.take(2);
  ready.end(second);
  expect([first, second, ready.take(2)].map(names)).toEqual(['AB', 'CA', 'BC']);
});

test('a command of two merchants waits for the batches of both, and no batch has them meanwhile', () => {
  const ready = new ReadyCommands();
  ready.add(waiting('B', 1));
  const batch = ready.take(1);
  ready.add(waiting('P', 2, 'B'));
  ready.add(waiting('B', 3));
  expect(ready.available).toBe(0);
  expect(ready.take(5)).toEqual([]);
  // The next commands of both come after it, although P is free.
  ready.add(waiting('P', 4));
  ready.add(waiting('Q', 5, 'P'));
  expect(ready.take(5)).toEqual([]);
  ready.end(batch);
  expect(ready.available).toBeGreaterThan(0);
  expect(ready.take(1).map(({ since }) => since)).toEqual([2]);
  expect(ready.available).toBe(0);
});

test('a batch of the full size need not wait, also if that is less than 32', async () => {
  const { batches, add, addMany } = openRunners({ batchSize: 8 });
  add('A');
  await tick();
  addMany('B', 8);
  await tick();
  expect(sizes(batches)).toEqual([1, 8]);
});

test('a batch that takes longer than 100 ms does not delay other merchants', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { batches, add } = openRunners();
  add('A');
  await tick();
  add('B');
  add('A');
  vi.advanceTimersByTime(99);
  await tick();
  expect(sizes(batches)).toEqual([1]);
  vi.advanceTimersByTime(1);
  await tick();
  expect(batches[1]?.names).toEqual(['B1']);
  await batches[1]?.end();
  add('C');
  await tick();
  expect(batches[2]?.names).toEqual(['C1']);
  // When the slow batch has ended, few commands wait again.
  await batches[0]?.end();
  add('D');
  await tick();
  expect(sizes(batches)).toEqual([1, 1, 1]);
  await batches[2]?.end();
  expect(batches[3]?.names).toEqual(['A2', 'D1']);
});

test('every command is in one batch, in the order of its merchant, however they arrive and end', async () => {
  const merchant = fc.constantFrom(...'ABCDEF');
  // One merchant, or two of which the first has the command.
  const sender = fc.oneof({ weight: 4, arbitrary: fc.tuple(merchant) }, fc.uniqueArray(merchant, twoOnly));
  const steps = fc.array(fc.oneof(sender, fc.constantFrom('tick', 'end', 'end the last')), { maxLength: 200 });
  const sizesOf = fc.record({
    batchSize: fc.integer({ min: 1, max: 5 }),
    batchesAtOnce: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(steps, sizesOf, async (steps, limits) => {
      const { batches, add } = openRunners(limits);
      const added: string[] = [];
      const open = new Set<Batch>();
      const seen = new Set<Batch>();
      const look = (): void => {
        for (const batch of batches) if (!seen.has(batch)) open.add(batch);
        for (const batch of batches) seen.add(batch);
        const merchants = [...open].flatMap((batch) => batch.merchants);
        expect(new Set(merchants).size).toBe(merchants.length);
        expect(open.size).toBeLessThanOrEqual(limits.batchesAtOnce);
      };
      const end = async (batch: Batch | undefined): Promise<void> => {
        if (!batch) return;
        open.delete(batch);
        await batch.end();
        look();
      };
      for (const step of steps) {
        if (step === 'tick') await tick();
        else if (step === 'end') await end([...open][0]);
        else if (step === 'end the last') await end([...open].at(-1));
        else if (typeof step !== 'string') added.push(add(step[0] ?? '', step[1] ?? null));
        look();
      }
      await tick();
      look();
      while (open.size > 0) await end([...open][0]);
      const run = batches.flatMap(({ names }) => names);
      expect(run.toSorted()).toEqual(added.toSorted());
      for (const merchant of 'ABCDEF') {
        const its = (names: string[]): string[] => names.filter((name) => name.startsWith(merchant));
        expect(its(run)).toEqual(its(added));
      }
    }),
    { numRuns: 200 },
  );
});
