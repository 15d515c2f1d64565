import type { CheckoutView } from '@tidegate/domain';

/** A payin as its payer sees it, in the given state. */
export const aView = (change: Partial<CheckoutView> = {}): CheckoutView => ({
  merchantId: 'TH-1',
  orderNo: 'PI01',
  merchantName: 'Test Shop',
  country: 'TH',
  currency: 'THB',
  amount: '100.50',
  paidAmount: '0.00',
  restAmount: '100.50',
  status: 'processing',
  payLink: null,
  payQr: null,
  hasQrImage: false,
  expiresAt: 1_790_000_000_000,
  returnUrl: null,
  ...change,
});
