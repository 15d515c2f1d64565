import { expect, test } from 'vitest';
import { type DayFacts, problemOfClosing } from './decide-close.ts';

const whole: DayFacts = {
  ...{ isCovered: true, isDue: false, isOver: true, isUnexplained: false, openBreaks: 0, difference: '0.00' },
  ...{ waitingFiles: 0, isBehind: false },
};

test('a day that is over, covered and explained can be closed', () => {
  expect(problemOfClosing(whole)).toBeNull();
  expect(problemOfClosing({ ...whole, isCovered: false })).toBeNull();
});

test.each<[Partial<DayFacts>, string]>([
  [{ isOver: false }, 'not over'],
  [{ openBreaks: 2, difference: '7.00' }, '2 breaks are open, over 7.00'],
  [{ isCovered: false, isUnexplained: true }, 'no statement covers the day'],
  [{ isUnexplained: true }, 'neither matched nor a break'],
  [{ waitingFiles: 1 }, 'a statement waits'],
  [{ isDue: true }, 'being matched'],
  [{ isBehind: true }, 'being matched'],
])('with %o it cannot', (facts, reason) => {
  expect(problemOfClosing({ ...whole, ...facts })).toContain(reason);
});
