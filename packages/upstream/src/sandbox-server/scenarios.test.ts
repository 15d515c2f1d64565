import type { ChannelOrder } from '@tidegate/domain/channels';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, type FakeUpstream, openFakeUpstream, within } from '../testing/fake-upstream.ts';

let upstream: FakeUpstream;
beforeAll(async () => {
  upstream = await openFakeUpstream({ timeFactor: 0.03 });
});
afterAll(() => upstream.close());

const MONEY = { CN: 'CNY', TH: 'THB', IN: 'INR', PK: 'PKR' };

/**
 * kind, countries, amount | answers to the creates, in turn | callbacks: outcome and payments | what a poll finds finally.
 * `no answer` and `not found` are the two kinds of unknown.
 */
const TABLE = `
payin  CN TH IN PK  200.00 | accepted                      | paid 200.00                                     | paid 200.00
payout IN PK        200.00 | accepted                      | paid 200.00                                     | paid 200.00
payin  CN TH IN PK  200.99 | accepted                      | paid 200.99                                     | paid 200.99
payin  CN TH        200.11 | refused, refused              |                                                 | not found
payout IN PK        200.11 | refused, refused              |                                                 | not found
payin  TH PK        200.12 | no answer, no answer          |                                                 | not found
payout IN PK        200.12 | no answer, accepted           | paid 200.12                                     | paid 200.12
payin  TH CN        200.13 | no answer                     | paid 200.13                                     | paid 200.13
payout IN PK        200.13 | no answer, no answer          | paid 200.13                                     | paid 200.13
payin  TH IN        200.14 | accepted                      | paid 200.14                                     | paid 200.14
payout IN PK        200.14 | accepted                      | paid 200.14                                     | paid 200.14
payin  TH PK        200.21 | accepted                      | failed                                          | failed
payout IN PK        200.21 | accepted                      | failed                                          | failed
payin  TH CN        200.22 | accepted                      | timed_out                                       | timed_out
payout IN PK        200.22 | accepted                      | timed_out                                       | timed_out
payin  TH CN        200.23 | accepted                      |                                                 | accepted
payout IN PK        200.23 | accepted                      |                                                 | accepted
payin  TH CN        200.24 | accepted                      |                                                 | paid 200.24
payout IN PK        200.24 | accepted                      |                                                 | paid 200.24
payin  TH CN        200.25 | accepted                      | paid 200.25, paid 200.25, paid 200.25, accepted | paid 200.25
payout IN PK        200.25 | accepted                      | paid 200.25, paid 200.25, paid 200.25, accepted | paid 200.25
payin  TH           200.31 | accepted                      | part_paid 100.15, paid 100.15+100.16            | paid 100.15+100.16
payin  TH           0.31   | accepted                      | part_paid 0.15, paid 0.15+0.16                  | paid 0.15+0.16
payin  CN IN PK     200.31 | accepted                      | paid 200.31                                     | paid 200.31
payout IN PK        200.31 | accepted                      | paid 200.31                                     | paid 200.31
payin  TH           200.32 | accepted                      | part_paid 100.16, timed_out 100.16              | timed_out 100.16
payin  CN IN PK     200.32 | accepted                      | timed_out                                       | timed_out
payout IN PK        200.32 | accepted                      | paid 200.32                                     | paid 200.32
payin  TH CN        200.41 | accepted                      | paid 200.41, paid 200.41+200.41                 | paid 200.41+200.41
payout IN PK        200.41 | accepted                      | paid 200.41, returned 200.41                    | returned 200.41
payin  TH CN        200.42 | accepted                      | timed_out, paid 200.42                          | paid 200.42
payout IN PK        200.42 | accepted                      | paid 200.42                                     | paid 200.42
payin  TH CN        200.51 | accepted                      | paid 199.51                                     | paid 199.51
payin  TH CN        0.51   | accepted                      | paid 0.01                                       | paid 0.01
payout IN PK        200.51 | accepted                      | paid 200.51                                     | paid 200.51
payin  TH           999999999.31 | accepted                | part_paid 499999999.65, paid 499999999.65+499999999.66 | paid 499999999.65+499999999.66
`;

const rows = TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const [what = '', creates = '', reported = '', end = ''] = line.split('|').map((cell) => cell.trim());
    const [kind, ...rest] = what.split(/\s+/);
    const amount = rest.at(-1) ?? '';
    return rest.slice(0, -1).map((country) => ({
      kind: kind as ChannelOrder['kind'],
      country: country as keyof typeof MONEY,
      amount,
      creates: creates.split(', '),
      reported: reported === '' ? [] : reported.split(', '),
      end,
    }));
  });

test.concurrent.for(rows)(
  'a $kind of $country with the amount $amount follows its scenario',
  async ({ kind, country, amount, creates, reported, end }, { expect }) => {
    const order = upstream.order({ kind, country, currency: MONEY[country], amount });
    for (const answer of creates) {
      const signal = within(answer === 'no answer' ? 300 : 5_000);
      // On a busy machine the answer can come after the payment, which takes 30 ms here.
      const actual = inWords(await upstream.channel.create(order, signal));
      const isLater = answer === 'accepted' && [...reported, end].includes(actual);
      if (!isLater) expect(actual).toBe(answer);
    }
    await eventually(async () => {
      expect(inWords(await upstream.channel.query(order, within(5_000)))).toBe(end);
      expect(reportsOf(order)).toEqual(reported);
    });
    // The callback of a later order has arrived, so no further callback was sent, and the final status stayed.
    await aLaterOrderIsReported();
    expect(reportsOf(order)).toEqual(reported);
    expect(inWords(await upstream.channel.query(order, within(5_000)))).toBe(end);
  },
);

test('references of payments are unique and do not change', async () => {
  const order = upstream.order({ amount: '200.31' });
  await upstream.channel.create(order, within(5_000));
  const answers = await eventually(() => {
    const actual = upstream
      .callbacks(order.orderNo)
      .map(({ read }) => (read.type === 'report' ? read.answer : undefined));
    expect(actual).toHaveLength(2);
    return actual;
  });
  const references = answers.map((answer) =>
    answer && 'payments' in answer ? (answer.payments ?? []).map(({ reference }) => reference) : [],
  );
  expect(references[1]).toHaveLength(2);
  expect(new Set(references[1])).toHaveLength(2);
  expect(references[1]?.slice(0, 1)).toEqual(references[0]);
});

test('the bank’s return has a reference of its own', async () => {
  const order = upstream.order({ kind: 'payout', country: 'PK', currency: 'PKR', amount: '200.41' });
  await upstream.channel.create(order, within(5_000));
  await eventually(async () => {
    const answer = await upstream.channel.query(order, within(5_000));
    if (answer.outcome !== 'returned') throw new Error(`still ${answer.outcome}`);
    expect(answer.returned.amount).toBe('200.41');
    expect(answer.payments.map(({ reference }) => reference)).not.toContain(answer.returned.reference);
  });
});

type Answer = Awaited<ReturnType<FakeUpstream['channel']['query']>>;

function inWords(answer: Answer): string {
  if (answer.outcome === 'unknown') return answer.why.replace('_', ' ');
  const payments = 'payments' in answer ? (answer.payments ?? []) : [];
  return `${answer.outcome} ${payments.map(({ amount }) => amount).join('+')}`.trim();
}

function reportsOf(order: ChannelOrder): string[] {
  return upstream
    .callbacks(order.orderNo)
    .map(({ read }) => (read.type === 'report' ? inWords(read.answer) : 'unreadable'));
}

/** Waits for an order with the longest ordinary script (3 s, scaled) to end. */
async function aLaterOrderIsReported(): Promise<void> {
  const later = upstream.order({ amount: '1.31' });
  await upstream.channel.create(later, within(5_000));
  await eventually(() => expect(reportsOf(later)).toHaveLength(2));
}
