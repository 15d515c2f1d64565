import { type CheckoutView, moneyOfOrder } from '@tidegate/domain';

type Parts = Parameters<typeof moneyOfOrder>;

/** What a test says of a case. It is open and holds the whole amount, unless it says otherwise. */
export type CaseChange = Partial<Parts[2][number]>;

/** What a test says of a payin. The money follows from its amounts, payments and cases. */
export interface ViewChange extends Partial<Omit<CheckoutView, 'money'>> {
  amount?: string;
  /** What counts for the order. */
  paidAmount?: string;
  payments?: Parts[1];
  cases?: readonly CaseChange[];
}

/** A payin as its payer sees it, in the given state. */
export function aView({
  amount = '100.50',
  paidAmount,
  payments = [],
  cases = [],
  ...change
}: ViewChange = {}): CheckoutView {
  const view: Omit<CheckoutView, 'money'> = {
    merchantId: 'TH-1',
    orderNo: 'PI01',
    merchantName: 'Test Shop',
    country: 'TH',
    currency: 'THB',
    status: 'processing',
    payLink: null,
    payQr: null,
    hasQrImage: false,
    expiresAt: 1_790_000_000_000,
    returnUrl: null,
    ...change,
  };
  const { currency, status } = view;
  const paid = paidAmount ?? (status === 'completed' ? amount : '0.00');
  const order = { kind: 'payin', mode: 'upstream', currency, status, amount, paidAmount: paid } as const;
  const whole = cases.map((one) => ({
    ...({ kind: 'late', state: 'open', amount, cameBack: '0.00', refundNo: null } as const),
    ...one,
  }));
  return { ...view, money: moneyOfOrder(order, payments, whole) };
}
