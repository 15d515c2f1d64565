import { expect, test } from 'vitest';
import { type DayFacts, problemOfClosing, problemsOfClosing } from './decide-close.ts';

const whole: DayFacts = {
  isCovered: true,
  isPart: false,
  isDue: false,
  isOver: true,
  isUnexplained: false,
  hasGap: false,
  openBreaks: 0,
  difference: '0.00',
  waitingFiles: 0,
  awaited: [],
  isBehind: false,
};

test('a day that is over, covered by statements and without open breaks can be closed', () => {
  expect(problemOfClosing(whole)).toBeNull();
  expect(problemOfClosing({ ...whole, isCovered: false })).toBeNull();
});

test.each<[Partial<DayFacts>, string]>([
  [{ isOver: false }, 'not over'],
  [{ openBreaks: 2, difference: '7.00' }, '2 breaks are open, over 7.00'],
  [{ isCovered: false, isUnexplained: true }, 'no statement covers the day'],
  [{ isUnexplained: true }, 'neither matched nor a break'],
  [{ isPart: true }, 'only a part of the day'],
  [{ hasGap: true }, 'does not open with the balance of this day'],
  [{ waitingFiles: 1 }, 'a statement waits'],
  [{ awaited: ['b-format (HTTP 500)'] }, 'the statement b-format (HTTP 500) has not come'],
  [{ isDue: true }, 'being matched'],
  [{ isBehind: true }, 'being matched'],
])('a day with %o cannot be closed', (facts, reason) => {
  expect(problemOfClosing({ ...whole, ...facts })).toContain(reason);
});

test('everything that is missing for a close is listed, the first step first', () => {
  const facts = { ...whole, isCovered: false, isUnexplained: true, openBreaks: 1, difference: '5.00', waitingFiles: 1 };
  expect(problemsOfClosing(facts)).toEqual([
    '1 breaks are open, over 5.00',
    'no statement covers the day',
    'a statement waits for its import',
  ]);
  // While it is matched, what is not matched yet is no problem of its own.
  expect(problemsOfClosing({ ...whole, isUnexplained: true, isDue: true })).toEqual([
    'the day is being matched: try again in a moment',
  ]);
});
