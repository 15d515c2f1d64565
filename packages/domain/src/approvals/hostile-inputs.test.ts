import { expect, test } from 'vitest';
import { hostileTexts, inputWith, processorMs, textFields } from '../testing/hostile-texts.ts';
import { operations } from './operations.ts';

// The inputs of operations: GraphQL, the console and the command line all read them by these schemas.

const mostMs = 20;

test('no hostile text in any field of any operation costs 20 ms of processor time', () => {
  const slow: string[] = [];
  let fields = 0;
  for (const [name, { input }] of Object.entries(operations))
    for (const path of textFields(input)) {
      fields += 1;
      for (const [shape, text] of hostileTexts(63 * 1024)) {
        const value = inputWith(input, path, text);
        const ms = processorMs(() => input.safeParse(value), mostMs);
        if (ms > mostMs) slow.push(`${name}: ${path.join('.')} with ${shape} takes ${ms.toFixed(0)} ms`);
      }
    }
  expect(fields).toBeGreaterThan(100);
  expect(slow).toEqual([]);
});

test('every text field of an operation refuses a text of 64 KiB', () => {
  for (const [name, { input }] of Object.entries(operations))
    for (const path of textFields(input)) {
      const read = input.safeParse(inputWith(input, path, 'a'.repeat(64 * 1024)));
      const problems = read.error?.issues.map(({ path }) => path[0]) ?? [];
      expect(problems, `${name}: ${path.join('.')}`).toContain(path[0]);
    }
});
