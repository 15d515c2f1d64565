import { CombinedError } from '@urql/core';
import { expect, test } from 'vitest';
import { fieldSentence, fieldsOf, messageOf } from './error-words.ts';

const refused = (message: string, extensions: object) =>
  new CombinedError({ graphQLErrors: [{ message, extensions }] as never });

test.each([
  [
    'Variable "$input" at "input.amount": a Decimal is text such as "1250.00", with at most two decimals',
    { code: 'BAD_USER_INPUT', fields: [{ path: 'input.amount', reason: 'must be an amount such as 1250.00' }] },
    'Amount must be an amount such as 1250.00.',
  ],
  [
    'filter.merchantIds.0 must be a merchant number',
    { code: 'BAD_USER_INPUT', fields: [{ path: 'filter.merchantIds.0', reason: 'must be a merchant number' }] },
    'Merchant ids must be a merchant number.',
  ],
  [
    'Cannot query field "x" on type "Query".',
    { code: 'GRAPHQL_VALIDATION_FAILED', requestId: 'R1' },
    'The service does not accept what this page sent. Check what you typed, or reload the page. If it happens again, give the request id R1 to support.',
  ],
  ['your role is not enough', { code: 'FORBIDDEN' }, 'Your role is not enough.'],
  ['internal error', { code: 'INTERNAL' }, 'The service failed. Try again.'],
])('%s is told in a sentence', (message, extensions, sentence) => {
  expect(messageOf(refused(message, extensions))).toBe(sentence);
});

test('a lost connection is told in a sentence, and has no fields', () => {
  const lost = new CombinedError({ networkError: new TypeError('fetch failed') });
  expect(messageOf(lost)).toBe('The service cannot be reached. Check your network and try again.');
  expect(fieldsOf(lost)).toEqual([]);
  expect(fieldSentence({ path: 'input.countries.0', reason: 'must be one of the known values' })).toBe(
    'Countries must be one of the known values.',
  );
});
