import { expect, test } from 'vitest';
import { anApproval } from '../testing/on-paper.ts';
import { executedApproval, problemOfApproval } from './approval.ts';
import { operatorActor } from './operator.ts';
import { timeText } from './time-text.ts';

const approval = anApproval({ expiresAt: 1_000 });

test('an approval can be decided while it is pending and its time is not over', () => {
  expect(problemOfApproval(approval, 999)).toBeNull();
  expect(problemOfApproval(approval, 1_000)).toBe('approval_expired');
  expect(problemOfApproval(approval, 1_001)).toBe('approval_expired');
  expect(problemOfApproval(null, 0)).toBe('approval_decided');
  for (const state of ['executed', 'rejected', 'expired', 'failed', 'withdrawn'] as const)
    expect(problemOfApproval({ ...approval, state }, 0), state).toBe('approval_decided');
});

test('an executed approval has the second operator and the time', () => {
  const by = { actor: 'ann', approver: 'bob', reason: 'a test' };
  expect(executedApproval(approval, by, 900)).toEqual({
    ...approval,
    state: 'executed',
    decidedBy: 'bob',
    decidedAt: 900,
  });
});

test('the history of an order names one operator, or two if an approval was needed', () => {
  expect(operatorActor({ actor: 'ann', approver: null, reason: '' })).toBe('operator:ann');
  expect(operatorActor({ actor: 'ann', approver: 'bob', reason: '' })).toBe('operator:ann+bob');
});

test('a time is written in UTC, and null stays null', () => {
  expect(timeText(Date.UTC(2026, 0, 15, 12))).toBe('2026-01-15T12:00:00.000Z');
  expect(timeText(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(timeText(null)).toBeNull();
});
