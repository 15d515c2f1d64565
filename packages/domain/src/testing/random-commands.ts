import type { ChannelAnswer, ChannelPayment } from '../core/channel-answer.ts';
import type { ApplyReport, Command } from '../core/commands.ts';
import { makeOrderNo } from '../core/order-number.ts';
import type { ModelMerchant } from './ledger-model.ts';
import { aNewOrder } from './on-paper.ts';
import { aTopUp } from './payins.ts';

/** Repeatable random numbers: the same seed gives the same commands. */
export interface Chance {
  /** A whole number from 0 to below `n`. */
  below(n: number): number;
  pick<T>(...options: [T, ...T[]]): T;
}

/** mulberry32. */
export function chanceOf(seed: number): Chance {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return { below, pick: (...options) => options[below(options.length)] ?? options[0] };
}

/** Any command for this merchant. Orders and references are few, so that many commands meet the same order. */
export function aRandomCommand(chance: Chance, merchant: ModelMerchant): Command {
  const orders = [...merchant.orders.keys()];
  const orderNo = orders[chance.below(orders.length)];
  const what = chance.below(10);
  if (what < 2 || orderNo === undefined) return aRandomCreate(chance, merchant);
  if (what === 2) return aRandomBooking(chance, merchant);
  const ref = { merchantId: merchant.merchantId, orderNo };
  if (what === 3) return { type: 'claimWork', ref, action: chance.pick('submit', 'poll', 'expire'), lease: 25_000 };
  return aRandomReport(chance, ref);
}

function aRandomCreate(chance: Chance, { merchantId, country }: ModelMerchant): Command {
  const kind = country === 'TH' || country === 'CN' ? 'payin' : chance.pick('payin', 'payin', 'payout');
  const bytes = Uint8Array.from({ length: 12 }, () => chance.below(256));
  const order = aNewOrder(country, kind, {
    merchantId,
    orderNo: makeOrderNo(kind, merchantId, Date.now(), bytes),
    // Few numbers, so that some repeat.
    merchantOrderNo: `M-${chance.below(200)}`,
    amount: chance.pick('100.00', '100.00', '0.02', '999999999.99'),
    feeAmount: chance.pick('0.00', '0.01'),
    notifyUrl: chance.pick('https://shop.test/n', 'https://shop.test/n', null),
  });
  if (kind === 'payout') return { type: 'createPayout', order };
  return { type: 'createPayin', order, submitAfter: chance.pick(0, 25_000), expiresIn: chance.pick(0, 1_800_000) };
}

function aRandomBooking(chance: Chance, { merchantId }: ModelMerchant): Command {
  const booking = aTopUp(merchantId, `B-${chance.below(300)}`, chance.pick('0.01', '150.00', '5000.00'));
  const entry = chance.pick('TOP_UP', 'TOP_UP', 'SETTLEMENT', 'ADJUSTMENT');
  return entry === 'TOP_UP' ? booking : { ...booking, entry, amount: `-${booking.amount}` };
}

function aRandomReport(chance: Chance, ref: ApplyReport['ref']): ApplyReport {
  const payment = (): ChannelPayment => ({
    reference: chance.pick('P1', 'P1', 'P2', 'P3'),
    amount: chance.pick('100.00', '100.00', '60.00', '40.00', '0.02', '0.01', '101.00', '999999999.99'),
  });
  const payments = (): ChannelPayment[] => Array.from({ length: 1 + chance.below(3) }, payment);
  const reason = chance.pick('no', 'ไม่สำเร็จ 😀');
  const answer = chance.pick<() => ChannelAnswer>(
    () => ({ outcome: 'accepted', channelRef: 'R', payQr: 'QR' }),
    () => ({ outcome: 'accepted' }),
    () => ({ outcome: 'paid', payments: payments() }),
    () => ({ outcome: 'paid', payments: payments() }),
    () => ({ outcome: 'paid', payments: [{ reference: 'P1', amount: '100.00' }] }),
    () => ({ outcome: 'part_paid', payments: payments() }),
    () => ({ outcome: 'part_paid', payments: payments() }),
    () => ({ outcome: 'failed', reason }),
    () => ({ outcome: 'timed_out', reason }),
    () => ({ outcome: 'timed_out', reason, payments: payments() }),
    () => ({ outcome: 'refused', reason }),
    () => ({ outcome: 'closed' }),
    () => ({ outcome: 'unknown', why: 'no_answer', detail: 'x' }),
    () => ({ outcome: 'unknown', why: 'not_found', detail: 'x' }),
  )();
  // Endings are rare, so that orders live long enough.
  const isEnd = /failed|timed_out|refused|closed/.test(answer.outcome) && chance.below(3) > 0;
  return {
    type: 'applyReport',
    ref,
    channelId: 'fake',
    answer: isEnd ? { outcome: 'unknown', why: 'no_answer', detail: 'x' } : answer,
    during: chance.pick('callback', 'callback', 'callback', 'query', 'query', 'create', 'expiry'),
  };
}
