import { expect, test } from 'vitest';
import { approvalFilters } from '../../packages/console/src/approvals/approval-filters.ts';
import { outcomeTitles, requestedOutcome } from '../../packages/console/src/approvals/requested-outcome.ts';
import { operations, secondOperatorRule, titleOfApproval } from '../../packages/domain/src/entries/operators.ts';

test.each(
  Object.entries(outcomeTitles).flatMap(([operation, titles]) =>
    Object.entries(titles).map(([outcome, title]) => [operation, outcome, title] as const),
  ),
)('the dialog of %s has for %s the words of the approval: %s', (operation, outcome, title) => {
  expect(titleOfApproval({ operation, input: { outcome: outcome.toLowerCase() } })).toBe(title);
});

test('the button of a dialog says the outcome and the amount', () => {
  const money = { amount: '100815.23', currency: 'INR' };
  expect(requestedOutcome('resolvePayout', { outcome: 'PAID' }, money)).toBe('Mark paid: 1,00,815.23 INR');
  expect(requestedOutcome('resolveBreak', { outcome: 'LINKED', otherBreakNo: '7' }, money)).toBe(
    'Link to break 7: 1,00,815.23 INR',
  );
  expect(requestedOutcome('resolvePayout', {}, money)).toBeUndefined();
});

test('the list of approvals can be filtered by each operation that may need a second operator', () => {
  const forTwo = Object.entries(operations).filter(([, operation]) => secondOperatorRule(operation) !== 'never');
  expect(approvalFilters.operations.options.map(({ value }) => value).sort()).toEqual(
    forTwo.map(([name]) => name).sort(),
  );
});
