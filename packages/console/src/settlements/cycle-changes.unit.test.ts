import { expect, test } from 'vitest';
import { changedCycle, shownCycle } from './cycle-changes.ts';

const now = {
  workingDays: 2,
  weekdays: ['MON', 'THU'] as ('MON' | 'THU')[],
  minimum: '100.00',
  keep: '0.00',
  beginsOn: '2026-11-01',
};

test('unchanged fields are not sent, so that a change by another operator is kept', () => {
  expect(changedCycle(now, shownCycle(now))).toEqual({});
  expect(changedCycle(now, { ...shownCycle(now), weekdays: 'THU,MON,FRI', keep: ' 50 ', minimum: '' })).toEqual({
    weekdays: ['MON', 'THU', 'FRI'],
    keep: '50',
  });
});

test('the first cycle of a merchant is sent with all shown fields', () => {
  expect(changedCycle(null, { ...shownCycle(null), beginsOn: '2026-11-01' })).toEqual({
    workingDays: 1,
    weekdays: ['MON', 'TUE', 'WED', 'THU', 'FRI'],
    minimum: '0.00',
    keep: '0.00',
    beginsOn: '2026-11-01',
  });
});

test('a bank account is sent as soon as one of its fields is typed', () => {
  expect(changedCycle(now, { account: '{"holder":"","number":" "}' })).toEqual({});
  expect(changedCycle(now, { account: '{"holder":"Lotus","number":" PK12 "}' })).toEqual({
    account: { holder: 'Lotus', number: 'PK12', bank: '' },
  });
});
