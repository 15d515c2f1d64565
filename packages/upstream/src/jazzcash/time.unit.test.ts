import { expect, test } from 'vitest';
import { defaultWaits } from './client.ts';
import { pakistanTime, readPakistanTime } from './time.ts';

test('times are in Pakistan time, five hours ahead of UTC, also over midnight and in summer', () => {
  expect(pakistanTime(Date.UTC(2026, 7, 23, 7))).toBe('20260823120000');
  expect(pakistanTime(Date.UTC(2025, 11, 31, 19, 0, 1))).toBe('20260101000001');
  expect(readPakistanTime('20260823120000')).toBe(Date.UTC(2026, 7, 23, 7));
});

test.each(['', '2026', '20261323120000', '2026082312000x'])('%j is not a time', (text) => {
  expect(readPakistanTime(text)).toBeNull();
});

test('a create leaves two of its eight seconds for the rest of the work on the order', () => {
  expect(defaultWaits.prepareMs + defaultWaits.payerWaitMs).toBeLessThanOrEqual(6_000);
});
