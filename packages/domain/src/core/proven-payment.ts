import { exceeds } from './money.ts';
import type { Payment } from './payment.ts';
import type { Story } from './story.ts';

// A statement can prove a payment before its channel reports it, or after. The second of both confirms the first, and books nothing. What is booked for a
// line is a placeholder, which the channel's first report of this money confirms. What the channel has reported takes the first line that is left over
// for it: matching pairs them. Both may have different references, because banks and channels number payments differently.

/** A movement that a channel reports. */
export type Movement = Pick<Payment, 'direction' | 'amount'> & { readonly reference: string };

/** The payment that a row is about: of a confirmation its placeholder, otherwise the row itself. */
export function bookedPaymentOf(payments: readonly Payment[], row: Payment): Payment {
  if (row.use !== 'confirmed') return row;
  return payments.find((one) => one.use !== 'confirmed' && one.line === row.line) ?? row;
}

/**
 * Whether a row under the reference of a movement is this movement. A line is not what another line was confirmed with: it shows more money.
 * `line`: null for a channel's report.
 */
export function isSameMovement({ use, line: ofRow }: Pick<Payment, 'use' | 'line'>, line: string | null): boolean {
  return line === null || use !== 'confirmed' || ofRow === line;
}

/**
 * The placeholder that a report of this channel confirms; null: none. That is the one under its reference. If the ledger does not have the reference,
 * it is the oldest one of the same amount.
 */
export function placeholderOf(
  payments: readonly Payment[],
  channelId: string,
  { direction, amount, reference }: Movement,
): Payment | null {
  const alike = payments.filter((row) => row.channelId === channelId && row.direction === direction);
  const isOpen = (row: Payment): boolean =>
    row.line !== null &&
    row.use !== 'confirmed' &&
    !alike.some((one) => one.use === 'confirmed' && one.line === row.line);
  const named = alike.filter((row) => row.reference === reference);
  if (named.length > 0) return named.find(isOpen) ?? null;
  return alike.find((row) => isOpen(row) && isEqual(row.amount, amount)) ?? null;
}

/**
 * Whether the ledger has the payment of a line already, because the channel reported it meanwhile: one that no other line explains. A placeholder is of
 * another line. Evidence of operators is no report.
 */
export function isReportedMeanwhile(
  payments: readonly Pick<Payment, 'amount' | 'use' | 'line'>[],
  amount: string,
  explained: number,
): boolean {
  const isReport = ({ use, line }: Pick<Payment, 'use' | 'line'>): boolean =>
    line === null && use !== 'confirmed' && use !== 'evidence';
  return payments.filter((row) => isReport(row) && isEqual(row.amount, amount)).length > explained;
}

function isEqual(a: string, b: string): boolean {
  return !exceeds(a, b) && !exceeds(b, a);
}

/** Confirms the placeholders of these movements, which one report of a channel has. Those under their own reference come first. */
export function confirmPlaceholders(
  story: Story,
  about: Pick<Payment, 'merchantId' | 'orderNo' | 'channelId'>,
  movements: readonly Movement[],
): Story {
  const { payments } = story.state;
  const isKnown = ({ direction, reference }: Movement): boolean =>
    payments.some((row) => row.direction === direction && row.reference === reference);
  const ordered = [...movements.filter(isKnown), ...movements.filter((one) => !isKnown(one))];
  return ordered.reduce((confirmed, movement) => {
    const found = placeholderOf(confirmed.state.payments, about.channelId, movement);
    if (!found) return confirmed;
    const { direction, reference } = movement;
    const { amount, line } = found;
    return confirmed.recordPayment({ ...about, direction, reference, amount, use: 'confirmed', line });
  }, story);
}
