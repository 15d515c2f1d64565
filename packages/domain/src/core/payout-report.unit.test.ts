import { expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { inWords } from '../testing/in-words.ts';
import { anOrder, aWallet, noon } from '../testing/on-paper.ts';
import type { ChannelAnswer, ChannelPayment } from './channel-answer.ts';
import type { ApplyReport } from './commands.ts';
import type { Order } from './order.ts';

// A channel's reports about a payout over 100.00 with a fee of 2.50 and 102.50 frozen, and their effects.

type PayoutCountry = 'IN' | 'PK';

const payment = (reference: string, amount = '100.00'): ChannelPayment => ({ reference, amount });
const paid = (...payments: ChannelPayment[]): ChannelAnswer => ({ outcome: 'paid', payments });
const returned = (...payments: ChannelPayment[]): ChannelAnswer => ({
  outcome: 'returned',
  payments,
  returned: payment('R1'),
  reason: 'account closed',
});
const p1 = paid(payment('P1'));
const says: Record<string, ChannelAnswer> = {
  accepted: { outcome: 'accepted', channelRef: 'C-1' },
  paid: p1,
  'paid a wrong sum': paid(payment('P1', '99.00')),
  'paid nothing': paid(),
  'part paid': { outcome: 'part_paid', payments: [payment('P1', '40.00')] },
  returned: returned(payment('P1')),
  'returned, never paid': returned(),
  refused: { outcome: 'refused', reason: 'no' },
  failed: { outcome: 'failed', reason: 'no' },
  'timed out': { outcome: 'timed_out', reason: 'late' },
  closed: { outcome: 'closed' },
  'not found': { outcome: 'unknown', why: 'not_found', detail: '404' },
  'no answer': { outcome: 'unknown', why: 'no_answer', detail: 'broken' },
};

function open(country: PayoutCountry, changes: Partial<Order> = {}): Given {
  const status = country === 'IN' ? 'processing' : 'created';
  const order = anOrder(country, { status, channelRef: null, attempt: 1, ...changes }, 'payout');
  return given(aWallet(country, { available: '897.50', frozen: '102.50' }), order);
}
const balances = ({ state: { wallet } }: Given): string => `${wallet.available} available, ${wallet.frozen} frozen`;

const settled = ['frozen > channel:fake 100.00', 'frozen > fee_revenue 2.50', 'PAYOUT 0.00 -> 897.50'];
const released = ['frozen > available 102.50', 'PAYOUT_RELEASE 102.50 -> 1000.00'];
const held = '897.50 available, 102.50 frozen';
const spent = '897.50 available, 0.00 frozen';
const back = '1000.00 available, 0.00 frozen';
const nothing: string[] = [];

interface Outcome {
  status: string | Record<PayoutCountry, string>;
  next: string;
  wrote: string[];
  wallet: string;
  reported: Record<PayoutCountry, string[]>;
}
const still = (next: string): Outcome => ({
  status: { IN: 'processing', PK: 'created' },
  next,
  wrote: nothing,
  wallet: held,
  reported: { IN: [], PK: [] },
});
const completed: Outcome = {
  status: 'completed',
  next: 'nothing to do',
  wrote: settled,
  wallet: spent,
  reported: { IN: ['notify completed'], PK: ['notify completed'] },
};
const failed: Outcome = {
  status: 'failed',
  next: 'nothing to do',
  wrote: released,
  wallet: back,
  reported: { IN: ['notify failed'], PK: [] },
};

// biome-ignore format: a table is read by its columns
const outcomes: Record<string, Outcome> = {
  'accepted': { ...still('poll in 10 s'), status: 'processing' },
  'paid': completed,
  'paid a wrong sum': { ...still('poll in 10 s'), wrote: ['suspense > channel:fake 99.00', 'case payout_wrong_amount 99.00'] },
  'paid nothing': still('poll in 10 s'),
  'part paid': { ...still('poll in 10 s'), wrote: ['suspense > channel:fake 40.00', 'case payout_wrong_amount 40.00'] },
  'returned': { ...completed, wrote: [...settled.slice(0, 2), 'channel:fake > suspense 100.00', 'PAYOUT 0.00 -> 897.50', 'case payout_returned 100.00'] },
  'returned, never paid': { ...still('poll in 10 s'), wrote: ['channel:fake > suspense 100.00', 'case payout_returned 100.00'] },
  'refused': failed,
  'failed': failed,
  'timed out': { ...failed, status: { IN: 'timeout', PK: 'failed' }, reported: { IN: ['notify timeout'], PK: [] } },
  'closed': { ...failed, status: 'cancelled', reported: { IN: [], PK: [] } },
  'not found': still('submit in 0 s'),
  'no answer': still('poll in 10 s'),
};

test('the tables of this test name every channel answer', () => {
  expect(Object.keys(outcomes)).toEqual(Object.keys(says));
  expect(new Set(Object.values(says).map(({ outcome }) => outcome)).size).toBe(9);
});

const rows = Object.keys(outcomes).flatMap((answer) =>
  (['IN', 'PK'] as const).map((country) => [country, answer] as const),
);

test.each(rows)('%s to a poll leads to %s, and its repetition changes nothing', (country, answer) => {
  const { status, next, wrote, wallet, reported } = outcomes[answer] as Outcome;
  const report = says[answer] as ChannelAnswer;
  const once = open(country).whenReported(report, 'query');
  const endStatus = typeof status === 'string' ? status : status[country];
  const expected = [`${endStatus}, ${next}`, ...wrote, ...reported[country]];
  expect(inWords(once)).toEqual(expected);
  expect(balances(once)).toBe(wallet);
  const again = once.whenReported(report, 'query').whenReported(report, 'create').whenReported(report, 'callback');
  expect(inWords(again).slice(1)).toEqual(expected.slice(1));
  expect(again.order.status).toBe(endStatus);
});

test.each(rows)('%s in a callback leads to %s, with the same money and no new poll time', (country, answer) => {
  const { wallet } = outcomes[answer] as Outcome;
  const reported = open(country, { nextActionAt: noon + 7_000 }).whenReported(says[answer] as ChannelAnswer);
  if (answer === 'closed') {
    // The echo of our own request, whose asker says who cancelled.
    expect(inWords(reported)).toEqual([`${country === 'IN' ? 'processing' : 'created'}, poll in 7 s`]);
    return;
  }
  expect(balances(reported)).toBe(wallet);
  expect(all(reported.events, 'entry')).toHaveLength(wallet === held ? 0 : 1);
  if (wallet === held) expect(inWords(reported)[0]).toMatch(/poll in 7 s$/);
});

const ended: Record<string, ChannelAnswer> = {
  failed: { outcome: 'failed', reason: 'no' },
  cancelled: { outcome: 'closed' },
  timeout: { outcome: 'timed_out', reason: 'late' },
};
test.each(Object.keys(ended))(
  'a payment after the payout was %s is borne by the platform, and opens one case',
  (status) => {
    const before = open('IN').whenReported(ended[status] as ChannelAnswer, 'query');
    expect(before.order.status).toBe(status);
    const after = before.whenReportedEach([p1, p1, paid(payment('P1'), payment('P2', '1.00'))]);
    expect(inWords(after).filter((line) => /suspense|case/.test(line))).toEqual([
      'suspense > channel:fake 100.00',
      'suspense > channel:fake 1.00',
      'case payout_paid_again 100.00',
      'case payout_paid_again 1.00',
    ]);
    expect([after.order.status, balances(after)]).toEqual([status, back]);
  },
);

const cases = ({ events }: Given): string[] => all(events, 'opened').map((c) => `${c.kind} ${c.reference} ${c.amount}`);
test.each<[string, ChannelAnswer[], string[]]>([
  ['paid twice, reported one by one', [p1, paid(payment('P2'))], ['payout_paid_again P2 100.00']],
  ['paid twice, reported at once', [paid(payment('P1'), payment('P2'))], ['payout_paid_again P2 100.00']],
  ['a wrong sum next to the right one', [paid(payment('P0', '99.00'), payment('P1'))], ['payout_paid_again P0 99.00']],
  [
    'a wrong sum before the right one',
    [paid(payment('P0', '99.00')), p1, paid(payment('P0', '99.00'), payment('P1'))],
    ['payout_wrong_amount P0 99.00'],
  ],
  ['the same reference twice', [paid(payment('P1'), payment('P1'))], []],
  ['the same reference with two sums', [paid(payment('P1', '99.00'), payment('P1'))], ['contradiction null 100.00']],
  [
    'returned under the reference of its payment, reported twice',
    [p1, returned(), { ...returned(payment('P1')), returned: payment('P1') } as ChannelAnswer, returned()],
    ['payout_returned R1 100.00', 'payout_returned P1 100.00'],
  ],
  ['returned before its payment was reported', [returned(payment('P1')), p1], ['payout_returned R1 100.00']],
  ['returned after it was paid', [p1, returned(payment('P1'))], ['payout_returned R1 100.00']],
  ['returned, and the payment not reported again', [p1, returned()], ['payout_returned R1 100.00']],
  [
    'returned, reported three times',
    [p1, returned(payment('P1')), returned(), returned(payment('P1'))],
    ['payout_returned R1 100.00'],
  ],
  [
    'failed, refused, unknown, pending and closed after it was paid',
    [
      p1,
      ...['failed', 'refused', 'timed out', 'closed', 'not found', 'no answer', 'accepted'].map(
        (what) => says[what] as ChannelAnswer,
      ),
    ],
    ['contradiction null 100.00'],
  ],
])('a payout that was %s is settled once, and %j opens the cases %j', (_, answers, opened) => {
  for (const during of ['callback', 'query'] as const) {
    const reported = open('PK').whenReportedEach(answers, during);
    expect([reported.order.status, balances(reported), reported.order.nextAction]).toEqual(['completed', spent, null]);
    expect(all(reported.events, 'entry').map(({ type }) => type)).toEqual(['PAYOUT']);
    expect(cases(reported)).toEqual(opened);
  }
});

const occasions: ApplyReport['during'][] = ['create', 'query', 'callback', 'expiry'];
test.each(occasions)('a missing answer changes only the next poll time (%s)', (during) => {
  for (const country of ['IN', 'PK'] as const) {
    const before = open(country);
    const answers = ['no answer', 'not found', 'no answer'].map((what) => says[what] as ChannelAnswer);
    const reported = before.whenReportedEach(answers, during);
    const { nextAction: _, nextActionAt: __, channelRef: ___, ...after } = reported.order;
    expect(before.order).toMatchObject(after);
    expect(inWords(reported)).toHaveLength(1);
    expect(reported.order.nextAction).not.toBeNull();
    expect(reported.order.channelId).toBe('fake');
  }
});

const market: [string, ChannelAnswer][] = Object.entries(says);
test.each(market)('%s about a payout on the task market, which no channel has, ends nothing', (_, answer) => {
  for (const status of ['market_available', 'processing'] as const) {
    const listed = open('PK', { mode: 'market', status, nextAction: null, nextActionAt: null });
    const reported = occasions.reduce((before, during) => before.whenReported(answer, during), listed);
    const payments = 'payments' in answer ? (answer.payments ?? []) : [];
    const isReturned = answer.outcome === 'returned';
    expect(inWords(reported)).toEqual([
      `${status}, nothing to do`,
      ...payments.map(({ amount }) => `suspense > channel:fake ${amount}`),
      ...(isReturned ? ['channel:fake > suspense 100.00'] : []),
      ...payments.map(({ amount }) => `case payout_paid_again ${amount}`),
      ...(isReturned && payments.length === 0 ? ['case payout_returned 100.00'] : []),
    ]);
    // What came back is what had left: nothing is left to decide.
    const undecided = reported.state.cases.filter(({ state }) => state === 'open');
    expect(undecided).toHaveLength(isReturned ? 1 - payments.length : payments.length);
    expect(balances(reported)).toBe(held);
  }
});
