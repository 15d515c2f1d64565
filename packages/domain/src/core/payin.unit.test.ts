import { expect, test } from 'vitest';
import { countries } from '../countries/index.ts';
import { all, given } from '../testing/given.ts';
import { inWords } from '../testing/in-words.ts';
import { anOrder, aWallet, noon } from '../testing/on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import type { ApplyReport } from './commands.ts';
import type { Country } from './country.ts';
import type { Order, OrderStatus } from './order.ts';

const paid = (...amounts: string[]): ChannelAnswer => ({ outcome: 'paid', payments: payments(amounts) });
const part = (...amounts: string[]): ChannelAnswer => ({ outcome: 'part_paid', payments: payments(amounts) });
const payments = (amounts: string[]) => amounts.map((amount, i) => ({ reference: `P${i + 1}`, amount }));
const accepted: ChannelAnswer = { outcome: 'accepted', channelRef: 'R' };
const failed: ChannelAnswer = { outcome: 'failed', reason: 'no' };
const timedOut: ChannelAnswer = { outcome: 'timed_out', reason: 'late' };
const refused: ChannelAnswer = { outcome: 'refused', reason: 'no' };
const closed: ChannelAnswer = { outcome: 'closed' };
const noAnswer: ChannelAnswer = { outcome: 'unknown', why: 'no_answer', detail: '' };
const notFound: ChannelAnswer = { outcome: 'unknown', why: 'not_found', detail: '' };

const fresh = { status: 'created', channelRef: null, nextAction: 'submit' } as const;
const credited = ['channel:fake > available 97.50', 'channel:fake > fee_revenue 2.50', 'PAYIN 97.50 -> 97.50'];

function outcomeOf(
  country: Country,
  changes: Partial<Order>,
  answer: ChannelAnswer,
  during: ApplyReport['during'],
): string[] {
  return inWords(given(aWallet(country), anOrder(country, changes)).whenReported(answer, during));
}

const reported: Record<Country, OrderStatus[]> = {
  CN: ['completed', 'failed', 'cancelled'],
  TH: ['completed', 'failed', 'timeout'],
  IN: ['completed', 'failed', 'timeout', 'cancelled'],
  PK: ['completed'],
};
const notified = (country: Country, status: OrderStatus): string[] =>
  reported[country].includes(status) ? [`notify ${status}`] : [];
const unpaid = (country: Country): OrderStatus => (country === 'TH' || country === 'IN' ? 'timeout' : 'cancelled');

test.each(countries)('%s: the effect of each answer on a submitted order', (country) => {
  const on = (
    answer: ChannelAnswer,
    during: ApplyReport['during'] = 'callback',
    changes: Partial<Order> = {},
  ): string[] => outcomeOf(country, changes, answer, during);
  const ends = (status: OrderStatus, next = 'nothing to do'): string[] => [
    `${status}, ${next}`,
    ...notified(country, status),
  ];
  expect(on(accepted)).toEqual(['processing, poll in 5 s']);
  expect(on(paid('100.00'))).toEqual(['completed, nothing to do', ...credited, 'notify completed']);
  expect(on(paid('100'))).toEqual(['completed, nothing to do', ...credited, 'notify completed']);
  expect(on(failed)).toEqual(ends('failed'));
  expect(on(timedOut)).toEqual(ends(unpaid(country)));
  expect(on(noAnswer, 'query')).toEqual(['processing, poll in 5 s']);
  expect(on(notFound, 'query')).toEqual(['processing, poll in 5 s']);
  // At its expiry, only an answer of the channel ends it. Without an answer it is polled again.
  const expired = { expiresAt: noon, nextAction: 'expire', attempt: 1 } as const;
  expect(on(closed, 'expiry', expired)).toEqual(ends(unpaid(country)));
  expect(on(timedOut, 'expiry', expired)).toEqual(ends(unpaid(country)));
  expect(on(failed, 'expiry', expired)).toEqual(ends('failed'));
  expect(on(noAnswer, 'expiry', expired)).toEqual(['processing, expire in 10 s']);
  expect(on(paid('100.00'), 'expiry', expired)).toEqual(['completed, nothing to do', ...credited, 'notify completed']);
  // Unpaid, but not because the channel closed it: money may still come.
  expect(on(notFound, 'expiry', expired)).toEqual(ends(unpaid(country), 'poll in 10 s'));
  expect(on(accepted, 'expiry', expired)).toEqual(ends(unpaid(country), 'poll in 10 s'));
});

test.each(countries)("%s: the effect of the create's answer on a new order", (country) => {
  const on = (answer: ChannelAnswer, changes: Partial<Order> = {}): string[] =>
    outcomeOf(country, { ...fresh, ...changes }, answer, 'create');
  const ends = (status: OrderStatus, next = 'nothing to do'): string[] => [
    `${status}, ${next}`,
    ...notified(country, status),
  ];
  expect(on(accepted)).toEqual(['processing, poll in 5 s']);
  expect(on(refused)).toEqual(ends('failed'));
  expect(on(failed)).toEqual(ends('failed'));
  expect(on(timedOut)).toEqual(ends(unpaid(country)));
  expect(on(paid('100.00'))).toEqual(['completed, nothing to do', ...credited, 'notify completed']);
  // No answer within 8 s: TH and IN time out, CN and PK fail; watched for late money (decisions 5.3).
  expect(on(noAnswer)).toEqual(ends(country === 'TH' || country === 'IN' ? 'timeout' : 'failed', 'poll in 10 s'));
  // Unless a callback was faster: then the channel has it.
  expect(on(noAnswer, { status: 'processing', channelRef: 'R' })).toEqual(['processing, poll in 5 s']);
  expect(on(accepted, { status: 'completed', channelRef: 'R', nextAction: null, nextActionAt: null })).toEqual([
    'completed, nothing to do',
  ]);
});

const late = (status: OrderStatus): Partial<Order> => ({ status, nextAction: null, nextActionAt: null });
const aside = (kind: string, amount: string): string[] => [
  `channel:fake > suspense ${amount}`,
  `case ${kind} ${amount}`,
];

test.each<[Country, Partial<Order>, ChannelAnswer, string[]]>([
  // Late: after an end nothing but suspense (decisions 5.5).
  ['CN', late('cancelled'), paid('100.00'), ['cancelled, nothing to do', ...aside('late', '100.00')]],
  ['TH', late('timeout'), paid('100.00'), ['timeout, nothing to do', ...aside('late', '100.00')]],
  ['TH', late('timeout'), part('40.00'), ['timeout, nothing to do', ...aside('late', '40.00')]],
  ['IN', late('failed'), paid('100.00'), ['failed, nothing to do', ...aside('late', '100.00')]],
  ['PK', late('failed'), paid('1.00'), ['failed, nothing to do', ...aside('late', '1.00')]],
  ['PK', late('completed'), paid('100.00'), ['completed, nothing to do', ...aside('double', '100.00')]],
  // Twice in one breath: the second is one too many.
  [
    'IN' as const,
    {},
    paid('100.00', '100.00'),
    [
      'completed, nothing to do',
      ...credited.slice(0, 2),
      'channel:fake > suspense 100.00',
      'PAYIN 97.50 -> 97.50',
      'case double 100.00',
      'notify completed',
    ],
  ] as [Country, Partial<Order>, ChannelAnswer, string[]],
  // Short and over, everywhere: the order stays open for the right sum.
  ...(['CN', 'TH', 'IN', 'PK'] as const).flatMap((country): [Country, Partial<Order>, ChannelAnswer, string[]][] => [
    [country, {}, paid('99.00'), ['processing, poll in 5 s', ...aside('wrong_amount', '99.00')]],
    [country, {}, paid('100.01'), ['processing, poll in 5 s', ...aside('wrong_amount', '100.01')]],
    [country, {}, part('100.01'), ['processing, poll in 5 s', ...aside('wrong_amount', '100.01')]],
    [country, fresh, paid('99.99'), ['created, poll in 5 s', ...aside('wrong_amount', '99.99')]],
  ]),
  // Parts are for Thailand.
  ['TH', {}, part('40.00'), ['partial_paid, poll in 5 s', 'channel:fake > suspense 40.00']],
  ['TH', fresh, part('40.00'), ['partial_paid, poll in 5 s', 'channel:fake > suspense 40.00']],
  ['IN', {}, part('40.00'), ['processing, poll in 5 s', ...aside('wrong_amount', '40.00')]],
  [
    'TH' as const,
    {},
    paid('40.00', '60.00'),
    [
      'completed, nothing to do',
      'channel:fake > suspense 40.00',
      'channel:fake > suspense 60.00',
      'suspense > available 97.50',
      'suspense > fee_revenue 2.50',
      'PAYIN 97.50 -> 97.50',
      'notify completed',
    ],
  ] as [Country, Partial<Order>, ChannelAnswer, string[]],
  [
    'TH',
    {},
    { ...timedOut, payments: payments(['100.00']) },
    ['completed, nothing to do', ...credited, 'notify completed'],
  ],
  [
    'TH' as const,
    {},
    { ...timedOut, payments: payments(['40.00']) },
    ['timeout, nothing to do', 'channel:fake > suspense 40.00', 'case parts_of_unpaid 40.00', 'notify timeout'],
  ] as [Country, Partial<Order>, ChannelAnswer, string[]],
])('a payin of %s with %j and the report %j', (country, changes, answer, expected) => {
  expect(outcomeOf(country, changes, answer, 'callback')).toEqual(expected);
});

test('a text of the channel is shortened, and characters that cannot be stored are replaced', () => {
  const processing = given(aWallet('TH'), anOrder('TH'));
  const long = processing.whenReported({ outcome: 'failed', reason: `${'x'.repeat(199)}😀\u0000` });
  const detail = all(long.events, 'transition')[0]?.detail ?? '';
  expect(detail.isWellFormed()).toBe(true);
  expect(detail).toHaveLength(200);
  const nul = processing.whenReported({ outcome: 'failed', reason: 'a\u0000b' });
  expect(all(nul.events, 'transition')[0]?.detail).toBe('a\ufffdb');
});
