import { hash } from 'node:crypto';

export const entryTypes = [
  ...(['PAYIN', 'PAYOUT_FREEZE', 'PAYOUT_RELEASE', 'PAYOUT', 'PAYOUT_RETURN'] as const),
  ...(['TOP_UP', 'SETTLEMENT', 'ADJUSTMENT'] as const),
] as const;
export type EntryType = (typeof entryTypes)[number];

/** The hashed fields of a wallet entry. */
export interface HashedEntry {
  readonly merchantId: string;
  readonly entryNo: number;
  readonly type: EntryType;
  readonly availableChange: string;
  readonly frozenChange: string;
  readonly availableBefore: string;
  readonly availableAfter: string;
  readonly frozenBefore: string;
  readonly frozenAfter: string;
  readonly orderNo: string | null;
  readonly merchantOrderNo: string | null;
  readonly remark: string | null;
  /** The number of a top-up, settlement or adjustment, which makes it idempotent. */
  readonly bookingNo: string | null;
  readonly createdAt: number;
}

/**
 * SHA-256 over the previous entry's hash and this entry's canonical text, in hex. The text is the JSON array of
 * the entry's fields in this order, so that no two different entries share one.
 */
export function entryHash(previousHash: string, entry: HashedEntry): string {
  const text = JSON.stringify([
    entry.merchantId,
    entry.entryNo,
    entry.type,
    entry.availableChange,
    entry.frozenChange,
    entry.availableBefore,
    entry.availableAfter,
    entry.frozenBefore,
    entry.frozenAfter,
    entry.orderNo,
    entry.merchantOrderNo,
    entry.remark,
    entry.bookingNo,
    entry.createdAt,
  ]);
  return hash('sha256', previousHash + text, 'hex');
}
