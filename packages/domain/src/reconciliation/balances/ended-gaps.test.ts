import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { bookedFor, endGaps, gapsAfter, type Shown } from '../../testing/statements-with-balances.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const before: Shown = { first: 1, last: 1, opening: 0, lines: [[1, 'a', 100]] };
const after: Shown = { first: 3, last: 3, opening: 150, lines: [[3, 'e', 30]] };
const missing: Shown = { first: 2, last: 2, opening: 100, lines: [[2, 'b', 50]] };
const part: Shown = { first: 2, last: 2, opening: 100, lines: [[2, 'b', 20]] };

test.each([
  ['posted', missing, '3 -50.00', 0],
  ['written_off', missing, '3 -50.00', 0],
  ['posted', part, '3 -20.00', 30],
] as const)('what was %s for a gap is a break again as far as its file comes', async (outcome, file, again, left) => {
  const channelId = `ended-${outcome.slice(0, 3)}-${left}`;
  expect(await gapsAfter(fixture, channelId, [before, after])).toEqual(['3 50.00']);
  await endGaps(fixture, channelId, outcome);
  expect(await bookedFor(fixture, channelId)).toBe(50);
  expect(await gapsAfter(fixture, channelId, [file])).toEqual([again]);
  await endGaps(fixture, channelId, outcome);
  expect(await bookedFor(fixture, channelId)).toBe(left);
  expect(await gapsAfter(fixture, channelId, [{ ...after, first: 3, lines: [[3, 'e', 30]] }])).toEqual([]);
});

test('a gap that people explained stays ended, and is a break again if it changes', async () => {
  expect(await gapsAfter(fixture, 'explained', [before, after])).toEqual(['3 50.00']);
  await endGaps(fixture, 'explained', 'linked');
  expect(await gapsAfter(fixture, 'explained', [after])).toEqual([]);
  expect(await gapsAfter(fixture, 'explained', [part])).toEqual(['3 30.00']);
});
