import { expect, test } from 'vitest';
import { saysSomething } from './said-text.ts';

test.each<[string, boolean]>([
  ['The bank paid it', true],
  ['ใจดี', true],
  ['', false],
  [' \n\t ', false],
  ['\u200b\u2060', false],
  ['\u202e', false],
  ['\u3164\u115f\ufe0f\u2800', false],
  ['a\u0000', false],
  ['\ud800a', false],
  ['a'.repeat(21), false],
])('whether %j says something', (text, expected) => {
  expect(saysSomething(text, 20)).toBe(expected);
});
