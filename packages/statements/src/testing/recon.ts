/** An item of Razorpay's recon: a payment of 100.00 with a fee of 2.36, of which 0.36 is tax. */
export const reconItem = {
  entity_id: 'pay_1Aa00000000001',
  type: 'payment',
  debit: 0,
  credit: 9_764,
  amount: 10_000,
  currency: 'INR',
  fee: 236,
  tax: 36,
  on_hold: false,
  settled: true,
  created_at: 1_793_500_200,
  settled_at: 1_793_590_200,
  settlement_id: 'setl_1Aa00000000001',
  posted_at: null,
  credit_type: 'default',
  description: 'Purchase "of shoes" }]',
  notes: {},
  payment_id: null,
  settlement_utr: '1793590200abc',
  order_id: 'order_1Aa00000000001',
  order_receipt: 'P1',
  method: 'upi',
};

/** A page as the API answers it. */
export function reconPage(items: readonly unknown[]): string {
  return JSON.stringify({ entity: 'collection', count: items.length, items });
}
