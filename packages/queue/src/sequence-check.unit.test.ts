import { expect, test } from 'vitest';
import { openSequenceCheck } from './sequence-check.ts';

/** A sequence check that received these numbers of one sender, all at the same moment. */
function checkThatReceived(...numbers: number[]) {
  const sequenceCheck = openSequenceCheck();
  for (const no of numbers) sequenceCheck.receive({ from: 'ann', no }, 0);
  return sequenceCheck;
}

test.each<[string, number[], boolean]>([
  ['nothing', [], false],
  ['numbers in order', [1, 2, 3], false],
  ['a first number in the middle', [7, 8], false],
  ['two numbers in reverse order', [1, 3, 2, 4], false],
  ['a number received twice', [1, 2, 2, 3], false],
  ['one number is missing', [1, 3], true],
  ['the first number after a break is missing', [5, 9, 8, 7], true],
  ['many numbers are missing', [1, 5_000], true],
])('%s: %j', (_what, numbers, isMissing) => {
  const sequenceCheck = checkThatReceived(...numbers);
  expect(sequenceCheck.isMissing(501)).toBe(isMissing);
  sequenceCheck.reset();
  expect(sequenceCheck.isMissing(501)).toBe(false);
});

test('a late message is waited for, half a second', () => {
  const sequenceCheck = checkThatReceived(1, 3);
  expect(sequenceCheck.isMissing(400)).toBe(false);
  sequenceCheck.receive({ from: 'ann', no: 2 }, 450);
  expect(sequenceCheck.isMissing(10_000)).toBe(false);
});

test('each sender has its own numbers', () => {
  const sequenceCheck = checkThatReceived(1);
  sequenceCheck.receive({ from: 'bob', no: 7 }, 0);
  sequenceCheck.receive({ from: 'ann', no: 2 }, 0);
  sequenceCheck.receive({ from: 'bob', no: 8 }, 0);
  expect(sequenceCheck.isMissing(10_000)).toBe(false);
  sequenceCheck.receive({ from: 'bob', no: 10 }, 0);
  expect(sequenceCheck.isMissing(10_000)).toBe(true);
});

test('after a reset a sender may begin at any number', () => {
  const sequenceCheck = checkThatReceived(1, 3);
  sequenceCheck.reset();
  sequenceCheck.receive({ from: 'ann', no: 40 }, 0);
  expect(sequenceCheck.isMissing(10_000)).toBe(false);
});

test('the first message of a sender can report earlier lost messages', () => {
  const sequenceCheck = checkThatReceived(1);
  sequenceCheck.receive({ from: 'bob', no: 2, afterLoss: true }, 0);
  expect(sequenceCheck.isMissing(0)).toBe(true);
});

test('a missing message of a known sender may still arrive later', () => {
  const sequenceCheck = checkThatReceived(1);
  sequenceCheck.receive({ from: 'ann', no: 3, afterLoss: true }, 0);
  sequenceCheck.receive({ from: 'ann', no: 2 }, 0);
  expect(sequenceCheck.isMissing(10_000)).toBe(false);
});
