import { expect, test } from 'vitest';
import { type ChannelAnswer, describeAnswer, problemOfAnswer, truncateText } from './channel-answer.ts';

const paid = (reference: string, amount = '1.00'): ChannelAnswer => ({
  outcome: 'paid',
  payments: [{ reference, amount }],
});
const unusable = 'a payment without a usable reference';
const noAmount = 'a payment whose amount is none';
const tooLong = 'a reference that is too long';
const noText = 'a text that cannot be kept';

test('a reference of 1 to 128 characters is usable, a shorter or longer one is not', () => {
  for (const length of [1, 2, 127, 128]) expect(problemOfAnswer(paid('r'.repeat(length))), `${length}`).toBeNull();
  for (const length of [0, 129, 500]) expect(problemOfAnswer(paid('r'.repeat(length))), `${length}`).toBe(unusable);
});

test.each(['a\u0000b', '\ud83d', 'x\udc00'])('the reference %j cannot be stored', (reference) => {
  expect(problemOfAnswer(paid(reference))).toBe(unusable);
});

test.each(['0.00', '-1.00', '1.234', '', '1e3'])('a payment of %j has no amount', (amount) => {
  expect(problemOfAnswer(paid('P1', amount))).toBe(noAmount);
});

const good = { reference: 'P1', amount: '1.00' };
const bad = { reference: '', amount: '1.00' };

test.each<[string, ChannelAnswer, string | null]>([
  ['no payments at all', { outcome: 'timed_out', reason: 'late' }, null],
  ['an empty list of payments', { outcome: 'paid', payments: [] }, null],
  ['the second payment', { outcome: 'part_paid', payments: [good, bad] }, unusable],
  ['payments of an order that was not paid in time', { outcome: 'timed_out', reason: '', payments: [bad] }, unusable],
  ['the money that came back', { outcome: 'returned', payments: [good], returned: bad, reason: '' }, unusable],
  ['a payment that came back', { outcome: 'returned', payments: [bad], returned: good, reason: '' }, unusable],
  ['a payment and its return', { outcome: 'returned', payments: [good], returned: good, reason: '' }, null],
  ['a reference of the channel', { outcome: 'accepted', channelRef: 'R', payLink: 'L', payQr: 'Q' }, null],
  ['an invalid reference of the channel', { outcome: 'accepted', channelRef: 'a\u0000' }, noText],
  ['a reference of the channel that no index takes', { outcome: 'accepted', channelRef: 'R'.repeat(129) }, tooLong],
  ['an invalid link', { outcome: 'accepted', payLink: 'a\u0000' }, noText],
  ['an invalid QR code', { outcome: 'accepted', payQr: '\ud83d' }, noText],
])('the check of a channel answer covers %s', (_, answer, problem) => {
  expect(problemOfAnswer(answer)).toBe(problem);
});

test.each<[ChannelAnswer, string]>([
  [{ outcome: 'accepted' }, 'accepted'],
  [{ outcome: 'closed' }, 'closed'],
  [{ outcome: 'failed', reason: 'no funds' }, 'no funds'],
  [{ outcome: 'refused', reason: 'x'.repeat(201) }, 'x'.repeat(200)],
  [{ outcome: 'unknown', why: 'not_found', detail: '404' }, 'not_found: 404'],
  [{ outcome: 'unknown', why: 'no_answer', detail: 'x'.repeat(300) }, `no_answer: ${'x'.repeat(189)}`],
])('%j is described as %s', (answer, words) => {
  expect(describeAnswer(answer)).toBe(words);
});

test('external text is shortened, and characters that cannot be stored are replaced', () => {
  expect(truncateText('abc', 3)).toBe('abc');
  expect(truncateText('abcd', 3)).toBe('abc');
  expect(truncateText('ab😀', 3)).toBe('ab\ufffd');
  expect(truncateText('\u0000a\u0000', 3)).toBe('\ufffda\ufffd');
});
