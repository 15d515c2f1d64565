import { expect, test } from 'vitest';
import { openRollCall } from './roll-call.ts';

/** A roll call that heard these numbers of one sender, all at the same moment. */
function having(...numbers: number[]) {
  const rollCall = openRollCall();
  for (const no of numbers) rollCall.heard({ from: 'ann', no }, 0);
  return rollCall;
}

test.each<[string, number[], boolean]>([
  ['nothing', [], false],
  ['one after the other', [1, 2, 3], false],
  ['from somewhere in the middle', [7, 8], false],
  ['one overtook another', [1, 3, 2, 4], false],
  ['told twice', [1, 2, 2, 3], false],
  ['one is not there', [1, 3], true],
  ['the first after a break is not there', [5, 9, 8, 7], true],
  ['many are not there', [1, 5_000], true],
])('%s: %j', (_what, numbers, isMissing) => {
  const rollCall = having(...numbers);
  expect(rollCall.isMissing(501)).toBe(isMissing);
  rollCall.forget();
  expect(rollCall.isMissing(501)).toBe(false);
});

test('what is late is waited for, half a second', () => {
  const rollCall = having(1, 3);
  expect(rollCall.isMissing(400)).toBe(false);
  rollCall.heard({ from: 'ann', no: 2 }, 450);
  expect(rollCall.isMissing(10_000)).toBe(false);
});

test('each sender counts by itself', () => {
  const rollCall = having(1);
  rollCall.heard({ from: 'bob', no: 7 }, 0);
  rollCall.heard({ from: 'ann', no: 2 }, 0);
  rollCall.heard({ from: 'bob', no: 8 }, 0);
  expect(rollCall.isMissing(10_000)).toBe(false);
  rollCall.heard({ from: 'bob', no: 10 }, 0);
  expect(rollCall.isMissing(10_000)).toBe(true);
});

test('after it began anew a sender may be anywhere', () => {
  const rollCall = having(1, 3);
  rollCall.forget();
  rollCall.heard({ from: 'ann', no: 40 }, 0);
  expect(rollCall.isMissing(10_000)).toBe(false);
});

test('whoever is heard for the first time may say that its word before was lost', () => {
  const rollCall = having(1);
  rollCall.heard({ from: 'bob', no: 2, afterLoss: true }, 0);
  expect(rollCall.isMissing(0)).toBe(true);
});

test('whoever was heard before misses the number, and may find it later', () => {
  const rollCall = having(1);
  rollCall.heard({ from: 'ann', no: 3, afterLoss: true }, 0);
  rollCall.heard({ from: 'ann', no: 2 }, 0);
  expect(rollCall.isMissing(10_000)).toBe(false);
});
