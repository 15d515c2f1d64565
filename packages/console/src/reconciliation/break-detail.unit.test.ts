import { expect, test } from 'vitest';
import { type BreakDetail, storyOfBreak } from './break-detail.ts';

const story = (change: object) => storyOfBreak({ state: 'OPEN', line: null, ...change } as BreakDetail);

test('a payout that came back opens a case, and a refund of the channel does not', () => {
  const kind = 'LATE_REVERSAL';
  expect(story({ kind, line: { type: 'payout_return' } })).toContain('Posted, it opens a case.');
  expect(story({ kind, line: { type: 'refund' } })).toContain('no case opens, and no wallet pays it');
});

test('a break that has ended tells what happened, and no more what to do', () => {
  const kind = 'MISSING_IN_LEDGER';
  expect(story({ kind })).toContain('Posted, a payment enters');
  expect(story({ kind, state: 'POSTED' })).toBe('The statement shows money that the ledger does not have.');
});
