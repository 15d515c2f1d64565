import { hash } from 'node:crypto';
import type { WalletEntry } from './wallet.ts';

/**
 * SHA-256 over the previous entry's hash and this entry's canonical text, in hex. The text is the JSON array of
 * the entry's fields in this order, so that no two different entries share one.
 */
export function entryHash(previousHash: string, entry: Omit<WalletEntry, 'hash'>): string {
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
