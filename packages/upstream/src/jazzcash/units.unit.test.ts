import { expect, test } from 'vitest';
import { fromPaisa, toPaisa } from './amounts.ts';
import { defaultWaits } from './client.ts';
import { pakistanTime, readPakistanTime } from './time.ts';

test.each([
  ['1500.00', '150000'],
  ['0.05', '5'],
  ['0.50', '50'],
  ['999999999999.99', '99999999999999'],
])('%s rupees are %s paisa, and back', (rupees, paisa) => {
  expect(toPaisa(rupees)).toBe(paisa);
  expect(fromPaisa(paisa)).toBe(rupees);
});

test.each(['', '1', '1.5', '1.555', '-1.00', '0.00', '1,000.00', '1e2'])('%j is no amount in rupees', (text) => {
  expect(toPaisa(text)).toBeNull();
});

test.each(['', '0', '000', '-5', '1.50', '1e2', '123456789012345'])('%j is no amount in paisa', (text) => {
  expect(fromPaisa(text)).toBeNull();
});

test('an amount with leading zeros is read', () => expect(fromPaisa('000000010000')).toBe('100.00'));

test('times are Pakistan time, five hours ahead of UTC, also over midnight and in summer', () => {
  expect(pakistanTime(Date.UTC(2026, 7, 23, 7))).toBe('20260823120000');
  expect(pakistanTime(Date.UTC(2025, 11, 31, 19, 0, 1))).toBe('20260101000001');
  expect(readPakistanTime('20260823120000')).toBe(Date.UTC(2026, 7, 23, 7));
});

test.each(['', '2026', '20261323120000', '2026082312000x'])('%j is no time', (text) => {
  expect(readPakistanTime(text)).toBeNull();
});

test('a create leaves two of its eight seconds to the rest of the order', () => {
  expect(defaultWaits.prepareMs + defaultWaits.patienceMs).toBeLessThanOrEqual(6_000);
});
