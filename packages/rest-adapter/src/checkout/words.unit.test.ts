import { expect, test } from 'vitest';
import { wordsOf } from './words.ts';

// A channel can say failed or unpaid although the payer's bank has taken the money. Such a payer must not pay again.
test.each(['en', 'zh', 'th', 'hi', 'ur'])(
  'a payer who has paid is sent to the merchant by every unpaid end: %s',
  (language) => {
    const { states } = wordsOf(language);
    for (const state of ['failed', 'expired', 'cancelled'] as const) {
      expect([state, states[state].advice]).toEqual([state, expect.stringContaining('{name}')]);
    }
  },
);
