import { readStored, storedText } from '../provider/stored.ts';
import type { Account } from './api.ts';
import { noAnswer } from './mapping.ts';

// The RazorpayX account that pays an order. It is stored before the payout is sent, because an operator may enter
// another account later, while the payout is under way.

/** The account number from which this order was sent; null if none was. Unreadable: `anUnknownAccount`, which is none of ours. */
export async function payerOf({ memory }: Account, orderNo: string): Promise<string | null> {
  const stored = await readStored(memory, payerKey(orderNo), accountNumber);
  if (stored.kind === 'none') return null;
  return stored.kind === 'value' ? stored.value : anUnknownAccount;
}

/** Stores the account number from which an order is sent now. Returns the number that was stored first. */
export async function rememberPayer({ memory }: Account, orderNo: string, accountNumber: string): Promise<string> {
  return memory.remember(payerKey(orderNo), accountNumber, 'order');
}

/** Only the account that sent a payout has it, so a missing payout at another account proves nothing. */
export const sentFromAnother = noAnswer('sent from another account than the present one of this channel');

/** Stands for an account that cannot be known any more. */
export const anUnknownAccount = 'unknown';
const accountNumber = storedText.regex(/^[A-Za-z0-9]{1,40}$/);
const payerKey = (orderNo: string): string => `payer:${orderNo}`;
