import { expect, test } from 'vitest';
import { inBatches } from './in-batches.ts';

/** Submits each of `items`, and records the batches. */
function recorded(options: { size?: number; concurrency?: number; fails?: (items: string[]) => Error | null } = {}) {
  const batches: string[][] = [];
  const ask = inBatches({
    size: options.size ?? 100,
    concurrency: options.concurrency ?? 1,
    keyOf: (item: string) => (item.startsWith('any') ? null : item),
    run: async (items: string[]) => {
      batches.push(items);
      await new Promise(setImmediate);
      const error = options.fails?.(items);
      if (error) throw error;
      return items.map((item) => item.toUpperCase());
    },
  });
  return { ask, batches };
}

test('concurrent calls share a batch, and each gets its own answer', async () => {
  const { ask, batches } = recorded();
  expect(await Promise.all(['a', 'b', 'c'].map(ask))).toEqual(['A', 'B', 'C']);
  expect(batches).toEqual([['a', 'b', 'c']]);
});

test('a batch has a maximum size, and never contains a key twice', async () => {
  const { ask, batches } = recorded({ size: 2 });
  expect(await Promise.all(['a', 'a', 'b', 'c', 'a'].map(ask))).toEqual(['A', 'A', 'B', 'C', 'A']);
  expect(batches).toEqual([['a', 'b'], ['a', 'c'], ['a']]);
});

test('items without a key share batches', async () => {
  const { ask, batches } = recorded();
  await Promise.all(['any', 'any', 'a'].map(ask));
  expect(batches).toEqual([['any', 'any', 'a']]);
});

test('later items are processed too, within the limit of concurrent batches', async () => {
  const { ask, batches } = recorded({ concurrency: 2 });
  await ask('a');
  expect(await Promise.all([ask('b'), ask('c')])).toEqual(['B', 'C']);
  expect(batches.flat()).toEqual(['a', 'b', 'c']);
});

test('a failed item does not affect the others', async () => {
  const { ask } = recorded({ fails: (items) => (items.includes('bad') ? new Error('no') : null) });
  const answers = await Promise.allSettled(['a', 'bad', 'c'].map(ask));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('while the database is unavailable nothing is tried again', async () => {
  const { ask, batches } = recorded({ fails: () => Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }) });
  const answers = await Promise.allSettled(['a', 'b'].map(ask));
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(batches).toEqual([['a', 'b']]);
});

test.each(['55P03', '57014'])('a batch that waited until its limit (%s) is not tried one by one', async (code) => {
  const { ask, batches } = recorded({ fails: () => Object.assign(new Error('too long'), { code }) });
  const answers = await Promise.allSettled(['a', 'b'].map(ask));
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(batches).toEqual([['a', 'b']]);
});
