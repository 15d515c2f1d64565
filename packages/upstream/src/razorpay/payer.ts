import type { Account } from './api.ts';
import { noAnswer } from './mapping.ts';

// The RazorpayX account that pays an order. It is stored before the payout is sent, because an operator may enter
// another account later, while the payout is under way.

/** The account number from which this order was sent; null if none was. */
export async function payerOf({ memory }: Account, orderNo: string): Promise<string | null> {
  return memory.read(payerKey(orderNo));
}

/** Stores the account number from which an order is sent now. Returns the number that was stored first. */
export async function rememberPayer({ memory }: Account, orderNo: string, accountNumber: string): Promise<string> {
  return memory.remember(payerKey(orderNo), accountNumber, 'order');
}

/** Only the account that sent a payout has it, so a missing payout at another account proves nothing. */
export const sentFromAnother = noAnswer('sent from another account than the present one of this channel');

const payerKey = (orderNo: string): string => `payer:${orderNo}`;
