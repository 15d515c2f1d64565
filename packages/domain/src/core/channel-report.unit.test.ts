import { describe, expect, test } from 'vitest';
import { all, type Given, given } from '../testing/given.ts';
import { aNewOrder, anOrder, aWallet, noon } from '../testing/on-paper.ts';
import type { ChannelAnswer } from './channel-answer.ts';
import type { Country } from './country.ts';
import type { Order } from './order.ts';

// Single rules of what a channel's answer does to an order.

const payment = (reference: string, amount = '100.00') => ({ reference, amount });
const open: ChannelAnswer = { outcome: 'accepted' };
const failed: ChannelAnswer = { outcome: 'failed', reason: 'no' };
const refused: ChannelAnswer = { outcome: 'refused', reason: 'no' };
const closed: ChannelAnswer = { outcome: 'closed' };
const silent: ChannelAnswer = { outcome: 'unknown', why: 'no_answer', detail: '' };
const paid: ChannelAnswer = { outcome: 'paid', payments: [payment('P1')] };

const payin = (country: Country, changes: Partial<Order> = {}): Given =>
  given(aWallet(country), anOrder(country, changes));
const payout = (country: Country, changes: Partial<Order> = {}): Given =>
  given(aWallet(country, { available: '897.50', frozen: '102.50' }), anOrder(country, changes, 'payout'));

describe.each([
  ['payin', payin],
  ['payout', payout],
] as const)('%s: the stored channel reference', (_, anOpen) => {
  const unknown = anOpen('IN', { channelRef: null });

  test('is kept from the first answer that shows that the channel has the order', () => {
    expect(unknown.whenReported({ ...open, channelRef: 'R1' }).order.channelRef).toBe('R1');
    expect(anOpen('IN').whenReported({ ...open, channelRef: 'R1' }).order.channelRef).toBe('ref-1');
  });

  test('is our order number if the channel has no reference', () => {
    for (const answer of [open, failed, paid])
      expect(unknown.whenReported(answer).order.channelRef).toBe(unknown.order.orderNo);
  });

  test('is unknown after no answer, or if the channel does not have the order', () => {
    for (const answer of [silent, refused]) expect(unknown.whenReported(answer).order.channelRef).toBeNull();
  });
});

describe('a payin', () => {
  test('a callback about a close repeats our own request, and is no contradiction', () => {
    const completed = payin('TH').whenReported(paid);
    expect(all(completed.whenReported(closed, 'callback').events, 'opened')).toEqual([]);
    expect(all(completed.whenReported(closed, 'query').events, 'opened')).toMatchObject([{ kind: 'contradiction' }]);
  });

  test('a payin stays open after a callback about a close, and ends after a query that finds the close', () => {
    expect(payin('TH').whenReported(closed, 'callback').order.status).toBe('processing');
    expect(payin('TH').whenReported(closed, 'query').order.status).toBe('timeout');
  });

  test('a payin ends at its expiry, although its channel says paid without naming a payment', () => {
    const nothing: ChannelAnswer = { outcome: 'paid', payments: [] };
    expect(payin('IN').whenReported(nothing, 'expiry').order.status).toBe('timeout');
    expect(payin('IN').whenReported(nothing, 'query').order.status).toBe('processing');
  });

  test('a manual payin is not polled, and waits for its expiry', () => {
    const created = (mode: 'manual' | 'upstream') =>
      given(aWallet('TH')).when({
        type: 'createPayin',
        order: aNewOrder('TH', 'payin', { mode }),
        submitAfter: 0,
        expiresIn: 60_000,
      }).order;
    expect(created('manual')).toMatchObject({ nextAction: 'expire', nextActionAt: noon + 60_000 });
    expect(created('upstream')).toMatchObject({ nextAction: 'submit', nextActionAt: noon });
  });

  test('a payin ends after a refusal, with the reason of the rules', () => {
    const ended = payin('TH').whenReported(refused).order;
    expect(ended.status).toBe('failed');
    expect(ended.failureReason).toEqual(expect.stringMatching(/./));
  });
});

describe('a payout', () => {
  test('the payment and the failure reason of a payout are stored', () => {
    expect(payout('IN').whenReported(paid).order).toMatchObject({ status: 'completed', paidAmount: '100.00' });
    expect(payout('IN').whenReported(failed).order.failureReason).toEqual(expect.stringMatching(/./));
  });

  test('a refusal releases the frozen money', () => {
    const ended = payout('IN').whenReported(refused);
    expect(ended.order.status).toBe('failed');
    expect(ended.state.wallet).toMatchObject({ available: '1000.00', frozen: '0.00' });
  });

  test('money returned for a completed payout is a case, even after a mistaken payment', () => {
    const twice = payout('IN').whenReportedEach([paid, { outcome: 'paid', payments: [payment('P1'), payment('P2')] }]);
    const returned: ChannelAnswer = {
      outcome: 'returned',
      payments: [payment('P1'), payment('P2')],
      returned: payment('R1'),
      reason: 'closed',
    };
    const kinds = all(twice.whenReported(returned).events, 'opened').map(({ kind }) => kind);
    expect(kinds).toEqual(['payout_paid_again', 'payout_returned']);
  });

  test('a payout is refused by a wallet without enough money', () => {
    const order = aNewOrder('IN', 'payout');
    given(aWallet('IN', { available: '102.49' }))
      .when({ type: 'createPayout', order })
      .gives('balance_insufficient');
    expect(given(aWallet('IN', { available: '102.50' })).when({ type: 'createPayout', order }).refusal).toBeNull();
  });
});
