import { expect, test } from 'vitest';
import { amountProblem } from './amount-problem.ts';
import { readAmount } from './typed-amount.ts';

test.each([
  ['1500', '1500'],
  ['1500.00', '1500.00'],
  ['1,500.00', '1500.00'],
  ['1,500', '1500'],
  [' 1,234,567.5 ', '1234567.5'],
  ['1,00,000.00', '100000.00'],
  ['12,34,567', '1234567'],
  ['-20.00', '-20.00'],
  ['\u22121,000', '-1000'],
  ['007.10', '7.10'],
  ['.50', '0.50'],
])('%s is read as %s', (text, amount) => {
  expect(readAmount(text)).toEqual({ ok: true, amount });
});

test.each([
  ['1.500,00', 'point before the decimals'],
  ['1.500', '1.500 can mean 1,500 or 1.500'],
  ['1,50', 'not between groups'],
  ['1,5', 'not between groups'],
  ['15,00.00', 'not between groups'],
  ['1.234.567', 'point before the decimals'],
  ['1.2345', 'at most two decimals'],
  ['1500.', 'at most two decimals'],
  ['1 500', 'in digits'],
  ['1e3', 'in digits'],
  ['\u0e51\u0e52', 'in digits'],
  ['THB 20', 'in digits'],
  ['.', 'in digits'],
  ['-', 'in digits'],
])('%s is refused with a sentence', (text, sentence) => {
  const read = readAmount(text);
  expect(read.ok ? read.amount : amountProblem(read.fault, text)).toContain(sentence);
});
