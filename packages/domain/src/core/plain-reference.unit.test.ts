import { expect, test } from 'vitest';
import { plainReference } from './plain-reference.ts';

test.each([
  ['UTR1', 'UTR1'],
  ['utr1', 'UTR1'],
  ['utr 1-2_3', 'UTR123'],
  ['  AZaz09  ', 'AZAZ09'],
  ['ｕｔｒ１', 'UTR1'],
  ['[@`{/:]a', 'A'],
  ['a\u00a0b', 'AB'],
  ['a\u2013b\u2212c\u3001d\ufeffe', 'ABCDE'],
  // Letters of other scripts stay, in the case in which they were typed.
  ['ß-é', 'ßé'],
  ['ª\u00b5', 'A\u03bc'],
  ['กข 1', 'กข1'],
  ['𝕏', 'X'],
  // Nothing would be left.
  ['---', '---'],
  ['', ''],
  [' ', ' '],
])('the reference %j is compared as %j', (typed, plain) => {
  expect(plainReference(typed)).toBe(plain);
});
