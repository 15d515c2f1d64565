import { expect, test } from 'vitest';
import { afterResend } from './after-resend.ts';

test.each([
  [{ matched: 3, resent: 3, repeated: false }, 'Sent again: 3. See below.'],
  [
    { matched: 3, resent: 1, repeated: false },
    'Sent again: 1. Left as they are: 2, because an attempt waits or is under way. See below.',
  ],
  [
    { matched: 1, resent: 0, repeated: false },
    'Sent again: 0. Left as they are: 1, because an attempt waits or is under way. See below.',
  ],
  [{ matched: 3, resent: 3, repeated: true }, 'This request was already carried out.'],
])('after %j the operator reads: %s', (resent, text) => {
  expect(afterResend(resent, 'See below.')).toBe(text);
});
