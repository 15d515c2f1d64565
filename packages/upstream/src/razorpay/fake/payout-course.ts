import { fateOf, fromCents } from '../../fake-provider/index.ts';
import { type Context, recordOf, recordsOf, seconds } from './context.ts';
import { sendPayoutEvent } from './events.ts';
import { makeId, type Payout } from './records.ts';

/** The status of a new payout, by the last two digits of its amount. */
export function firstStatus(amount: number): { status: string; reason: string | null } {
  const cents = amount % 100;
  if (cents === 2) return { status: 'queued', reason: 'low_balance' };
  if (cents === 3) return { status: 'pending', reason: 'pending_approval' };
  return { status: 'processing', reason: 'payout_bank_processing' };
}

/**
 * What becomes of a payout. `.12` fails without a debit; `.13` is rejected; `.14` fails although it was debited, and
 * is reversed later; `.15` only takes long; `.16` is reversed after it was processed.
 */
export function startPayout(context: Context, { id, amount, status }: Payout): void {
  const { after } = context.server;
  const fate = fateOf(fromCents(amount));
  if (status === 'processing' && fate !== 'fails' && fate !== 'expires') bookDebit(context, id);
  if (status !== 'processing') return;
  switch (fate) {
    case 'open':
    case 'refused':
      return;
    case 'fails':
      after(2, () => movePayout(context, id, 'failed', 'beneficiary_account_invalid'));
      return;
    case 'expires':
      after(2, () => movePayout(context, id, 'rejected', null));
      return;
    case 'other_amount':
      after(2, () => movePayout(context, id, 'failed', 'gateway_timeout'));
      after(4, () => movePayout(context, id, 'reversed', 'gateway_timeout'));
      return;
    case 'paid_late':
      after(10, () => movePayout(context, id, 'processed', 'payout_processed'));
      return;
    case 'returned':
      after(2, () => movePayout(context, id, 'processed', 'payout_processed'));
      after(4, () => movePayout(context, id, 'reversed', 'beneficiary_bank_rejected'));
      return;
    case 'paid':
      after(2, () => movePayout(context, id, 'processed', 'payout_processed'));
      return;
  }
}

/** Moves a payout, and sends its webhook. A reversal credits the account. */
export function movePayout(context: Context, id: string, status: string, reason: string | null): void {
  const payout = recordOf(context, 'payout', id);
  if (!payout) return;
  const moved: Payout = { ...payout, status, reason };
  context.store.put(id, moved);
  if (status === 'reversed') book(context, moved, { credit: moved.amount, debit: 0 });
  sendPayoutEvent(context, `payout.${status}`, moved);
}

function bookDebit(context: Context, id: string): void {
  const payout = recordOf(context, 'payout', id);
  const isBooked = recordsOf(context, 'transaction').some(({ payoutId, debit }) => payoutId === id && debit > 0);
  if (payout && !isBooked) book(context, payout, { credit: 0, debit: payout.amount });
}

function book(context: Context, payout: Payout, movement: { credit: number; debit: number }): void {
  const id = makeId('txn');
  const of = { payoutId: payout.id, accountNumber: payout.accountNumber };
  context.store.put(id, { type: 'transaction', id, ...of, ...movement, createdAt: seconds(context) });
}
