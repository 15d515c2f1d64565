import { expect, test } from 'vitest';
import type { Country } from '../core/country.ts';
import type { Order, OrderKind } from '../core/order.ts';
import { anOrder } from '../testing/on-paper.ts';
import { countryRules } from './index.ts';

// The fields that a merchant sees, by country, with their types (decisions 5.7, 5.8; contract "Resources and their
// fields").

const createdAt = Date.UTC(2026, 0, 15, 11, 59, 58, 7);
const unix = Math.floor(createdAt / 1000);
const iso = '2026-01-15T11:59:58.007Z';
const urls = { payUrl: 'https://pay.test/checkout/T' };
const base = {
  orderNo: 'PI000000001',
  merchantOrderNo: 'M-1',
  amount: '100.00',
  feeAmount: '2.50',
  netAmount: '97.50',
};
const paidOut = { ...base, orderNo: 'PO000000001', netAmount: '102.50' };
const bank = { payoutMethod: 'BANK_TRANSFER', fulfillmentMode: 'upstream' };

const states = {
  open: { createdAt, payLink: 'https://upstream.test/secret' },
  qr: { createdAt, payQr: '000201…' },
  completed: { createdAt, status: 'completed', completedAt: createdAt + 1_999 },
  failed: { createdAt, status: 'failed', failureReason: 'payment failed' },
  timeout: { createdAt, status: 'timeout', failureReason: 'not paid in time' },
  cancelled: { createdAt, status: 'cancelled', failureReason: 'not paid in time' },
  market: { createdAt, status: 'market_available', mode: 'market' },
} satisfies Record<string, Partial<Order>>;

function view(kind: OrderKind, which: 'create' | 'query', country: Country, state: keyof typeof states): object {
  const order = anOrder(country, states[state], kind);
  const rules = countryRules[country];
  if (kind === 'payin')
    return which === 'create' ? rules.payin.createView(order, urls) : rules.payin.queryView(order, urls);
  if (!rules.payout) throw new Error(`${country} has no payouts`);
  return which === 'create' ? rules.payout.createView(order) : rules.payout.queryView(order);
}

const done = { status: 'completed', completedAt: unix + 2 };
const failed = { status: 'failed', failureReason: 'payment failed' };
const payUrl = urls.payUrl;

test.each<[OrderKind, 'create' | 'query', Country, keyof typeof states, object]>([
  ['payin', 'create', 'CN', 'open', { ...base, status: 'processing', createdAt: unix }],
  ['payin', 'create', 'CN', 'qr', { ...base, status: 'processing', createdAt: unix }],
  ['payin', 'query', 'CN', 'open', { ...base, status: 'processing', createdAt: unix }],
  ['payin', 'query', 'CN', 'completed', { ...base, ...done, createdAt: unix }],
  ['payin', 'query', 'CN', 'failed', { ...base, ...failed, createdAt: unix }],
  ['payin', 'query', 'CN', 'cancelled', { ...base, status: 'cancelled', createdAt: unix }],
  ['payin', 'create', 'TH', 'qr', { ...base, status: 'processing', payUrl, payQr: '000201…', createdAt: unix }],
  ['payin', 'create', 'TH', 'open', { ...base, status: 'processing', payUrl, createdAt: unix }],
  ['payin', 'query', 'TH', 'qr', { ...base, status: 'processing', createdAt: unix }],
  ['payin', 'query', 'TH', 'completed', { ...base, ...done, createdAt: unix }],
  ['payin', 'query', 'TH', 'timeout', { ...base, status: 'timeout', createdAt: unix }],
  ['payin', 'create', 'IN', 'qr', { ...base, status: 'processing', payUrl, createdAt: unix }],
  ['payin', 'query', 'IN', 'completed', { ...base, ...done, payUrl, createdAt: unix }],
  [
    'payin',
    'query',
    'IN',
    'timeout',
    { ...base, status: 'timeout', failureReason: 'not paid in time', payUrl, createdAt: unix },
  ],
  ['payin', 'create', 'PK', 'open', { ...base, status: 'processing', payUrl, createdAt: iso }],
  ['payin', 'create', 'PK', 'qr', { ...base, status: 'processing', payUrl, payQr: '000201…', createdAt: iso }],
  ['payin', 'query', 'PK', 'completed', { ...base, ...done, payUrl, createdAt: iso }],
  ['payin', 'query', 'PK', 'failed', { ...base, ...failed, payUrl, createdAt: iso }],
  ['payout', 'create', 'IN', 'open', { ...paidOut, ...bank, status: 'processing', createdAt: unix }],
  ['payout', 'query', 'IN', 'completed', { ...paidOut, ...bank, ...done, createdAt: unix }],
  ['payout', 'query', 'IN', 'failed', { ...paidOut, ...bank, ...failed, createdAt: unix }],
  ['payout', 'create', 'PK', 'open', { ...paidOut, status: 'processing', createdAt: iso }],
  [
    'payout',
    'create',
    'PK',
    'market',
    { ...paidOut, payoutTaskId: 'PT000000001', status: 'market_available', createdAt: iso },
  ],
  ['payout', 'query', 'PK', 'completed', { ...paidOut, ...done, createdAt: iso }],
])('the %s view "%s" of %s, %s', (kind, which, country, state, expected) => {
  const shown = view(kind, which, country, state);
  expect(shown).toStrictEqual(expected);
  // The channel's own link stays hidden (decisions 5.9).
  expect(JSON.stringify(shown)).not.toContain('upstream.test');
});

test('the query of a TH order returns exactly the eight fields of the contract', () => {
  expect(Object.keys(view('payin', 'query', 'TH', 'completed'))).toEqual([
    'orderNo',
    'merchantOrderNo',
    'amount',
    'feeAmount',
    'netAmount',
    'status',
    'completedAt',
    'createdAt',
  ]);
});

test('an unknown checkout URL is left out', () => {
  const { createView } = countryRules.IN.payin;
  const order = anOrder('IN', states.open, 'payin');
  expect(createView(order, { payUrl: '' })).not.toHaveProperty('payUrl');
  expect(createView(order)).not.toHaveProperty('payUrl');
});

test('only completed orders have completedAt', () => {
  const { queryView } = countryRules.IN.payin;
  const failed = anOrder('IN', { ...states.failed, completedAt: createdAt }, 'payin');
  expect(queryView(failed)).not.toHaveProperty('completedAt');
  const undated = anOrder('IN', { ...states.completed, completedAt: null }, 'payin');
  expect(queryView(undated)).not.toHaveProperty('completedAt');
});
