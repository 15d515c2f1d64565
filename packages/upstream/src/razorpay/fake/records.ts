import { randomBytes } from 'node:crypto';

// What the fake stores. Amounts are paise, times are Unix seconds.

export interface Link {
  type: 'link';
  id: string;
  reference: string | null;
  amount: number;
  amountPaid: number;
  status: 'created' | 'paid' | 'expired' | 'cancelled';
  createdAt: number;
  expireBy: number;
  description: string;
  notes: Record<string, string> | null;
  /** From the first attempt to pay on. */
  orderId: string | null;
}

export interface Payment {
  type: 'payment';
  id: string;
  orderId: string;
  linkId: string;
  amount: number;
  status: 'created' | 'authorized' | 'captured' | 'refunded' | 'failed';
  /** Razorpay refunded it by itself, because it was authorised and never captured. */
  isAutoRefunded?: true;
  createdAt: number;
}

export interface Refund {
  type: 'refund';
  id: string;
  paymentId: string;
  amount: number;
  receipt: string | null;
  status: 'pending' | 'processed' | 'failed';
  createdAt: number;
  key: string | null;
  request: string;
}

export interface Contact {
  type: 'contact';
  id: string;
  details: Record<string, string>;
  createdAt: number;
}

export interface FundAccount {
  type: 'fund_account';
  id: string;
  contactId: string;
  bank: { name: string; ifsc: string; account_number: string } | null;
  vpa: { address: string } | null;
  createdAt: number;
}

export interface Payout {
  type: 'payout';
  id: string;
  key: string;
  request: string;
  fundAccountId: string;
  accountNumber: string;
  /** The account that Razorpay names as debited, if it names one. */
  debitAccountNumber: string | null;
  amount: number;
  mode: string;
  purpose: string;
  reference: string | null;
  narration: string;
  notes: Record<string, string> | null;
  status: string;
  reason: string | null;
  createdAt: number;
}

export interface Transaction {
  type: 'transaction';
  id: string;
  payoutId: string;
  accountNumber: string;
  credit: number;
  debit: number;
  createdAt: number;
}

export type Stored = Link | Payment | Refund | Contact | FundAccount | Payout | Transaction;

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** An id as Razorpay makes them: a prefix and 14 letters or digits. */
export function makeId(prefix: string): string {
  return `${prefix}_${[...randomBytes(14)].map((byte) => letters[byte % letters.length]).join('')}`;
}
