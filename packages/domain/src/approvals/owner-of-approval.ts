import type { Approval } from '../core/approval.ts';
import type { FileOwner } from '../work/index.ts';
import type { OperationName } from './operations.ts';

const bookings: readonly string[] = [
  'topUpWallet',
  'settleWallet',
  'adjustWallet',
  'reverseBooking',
] satisfies OperationName[];

/** The object to which the files of an approval are attached: its order, its case or its booking; null: none. */
export function ownerOfApproval({
  merchantId,
  operation,
  subject,
}: Pick<Approval, 'merchantId' | 'operation' | 'subject'>): FileOwner | null {
  if (bookings.includes(operation)) return { type: 'booking', merchantId, bookingNo: subject };
  const caseNo = /^case ([1-9][0-9]{0,14})$/.exec(subject)?.[1];
  if (caseNo !== undefined) return { type: 'case', merchantId, caseNo: Number(caseNo) };
  return /^P[IO][0-9A-Z]{1,30}$/.test(subject) ? { type: 'order', merchantId, orderNo: subject } : null;
}
