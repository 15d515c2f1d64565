import { expect, test } from 'vitest';
import { variableProblem } from './variable-problem.ts';

test.each([
  [
    'Variable "$input" at "input.amount": a Decimal is text such as "1250.00", with at most two decimals',
    { path: 'input.amount', reason: 'must be an amount such as 1250.00, with at most two decimals' },
  ],
  [
    'Variable "$input" at "input.countries[0]": the value is none of Country',
    { path: 'input.countries.0', reason: 'must be one of the known values' },
  ],
  [
    'Variable "$input" at "input": Field "name" of required type "String!" was not provided.',
    { path: 'input.name', reason: 'must be given' },
  ],
  ['Variable "$first": the value is not of type Int', { path: 'first', reason: 'must be a whole number' }],
  ['Variable "$input": the value does not fit', { path: 'input', reason: 'does not fit' }],
  ['Cannot query field "x" on type "Query".', null],
])('%s', (message, problem) => {
  expect(variableProblem(message)).toEqual(problem);
});
