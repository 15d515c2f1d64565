import { expect, test } from 'vitest';
import { readNetwork } from './network.ts';
import { wholeNumber } from './schemas.ts';
import { readWholeNumber } from './whole-number.ts';

const strange = ['08', '00', '+8', '-0', ' 8', '8 ', '8.0', '8e0', '0x8', '1_0', '', '٨', '8n', '9'.repeat(70_000)];

test('a whole number has one spelling', () => {
  expect(['0', '8', '32', '9007199254740991'].map((text) => readWholeNumber(text, 0, Number.MAX_SAFE_INTEGER))).toEqual(
    [0, 8, 32, Number.MAX_SAFE_INTEGER],
  );
  for (const text of strange) expect(readWholeNumber(text, 0, Number.MAX_SAFE_INTEGER), text.slice(0, 9)).toBeNull();
  expect(['1', '2', '4', '5'].map((text) => readWholeNumber(text, 2, 4))).toEqual([null, 2, 4, null]);
});

test('a setting that is a whole number has one spelling', () => {
  for (const text of strange) expect(wholeNumber(0, 99).safeParse(text).success, text.slice(0, 9)).toBe(false);
  expect(wholeNumber(0, 99).parse('8')).toBe(8);
});

test('a network is an address, or an address and a prefix of its family', () => {
  expect(readNetwork('127.0.0.1/8')).toEqual({ address: '127.0.0.1', family: 4, prefix: 8 });
  expect(readNetwork('fd00::/128')).toEqual({ address: 'fd00::', family: 6, prefix: 128 });
  expect(readNetwork('203.0.113.7')).toEqual({ address: '203.0.113.7', family: 4, prefix: null });
  for (const text of [
    '127.0.0.1/08',
    '127.0.0.1/008',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '/8',
    'x',
  ])
    expect(readNetwork(text), text).toBeNull();
});
