import { firstBatchHash } from '../core/ledger-batch.ts';
import type { LedgerEnd } from '../core/period-seal.ts';

/** The position up to which a merchant's ledger was read, and the sums up to there. Sums are decimal text. */
export interface Position {
  merchantId: string;
  /** The last entry that was read, the number of entries, and the balances after it. */
  entryNo: number;
  entryCount: number;
  available: string;
  frozen: string;
  /** The last transfer that was read, the number of transfers, and their sums on three accounts. */
  transferNo: number;
  transferCount: number;
  availableSum: string;
  frozenSum: string;
  suspenseSum: string;
  /** The last record of an operator's decision. */
  auditNo: number;
  auditCount: number;
  /** The last link of the ledger chain. */
  batchNo: number;
  batchCount: number;
  batchHash: string;
}

/** A position, and the last rows to read from there; without them all rows are read. */
export type BoundedPosition = Position & {
  untilEntryNo?: number;
  untilTransferNo?: number;
  untilAuditNo?: number;
  untilBatchNo?: number;
};

/** The last rows to read, for a position. */
export function boundsOf({ entryNo, transferNo, auditNo, batchNo }: LedgerEnd) {
  return { untilEntryNo: entryNo, untilTransferNo: transferNo, untilAuditNo: auditNo, untilBatchNo: batchNo };
}

/** The last number to read of a sequence, as SQL. An index finds the rows by it. */
export function upTo(sequence: 'Entry' | 'Transfer' | 'Audit' | 'Batch'): string {
  return `coalesce(p."until${sequence}No", 9223372036854775807)`;
}

export function startOf(merchantId: string): Position {
  return {
    merchantId,
    entryNo: 0,
    entryCount: 0,
    available: '0.00',
    frozen: '0.00',
    transferNo: 0,
    transferCount: 0,
    availableSum: '0.00',
    frozenSum: '0.00',
    suspenseSum: '0.00',
    auditNo: 0,
    auditCount: 0,
    batchNo: 0,
    batchCount: 0,
    batchHash: firstBatchHash,
  };
}

/** The SQL that makes rows `p` from the positions in a JSON text. */
export const positionRows = `json_to_recordset($1::json) as p(
  "merchantId" text, "entryNo" bigint, "entryCount" bigint, "transferNo" bigint, "transferCount" bigint,
  "availableSum" numeric, "frozenSum" numeric, "suspenseSum" numeric, "auditNo" bigint, "auditCount" bigint,
  "batchNo" bigint, "batchCount" bigint, "batchHash" text,
  "untilEntryNo" bigint, "untilTransferNo" bigint, "untilAuditNo" bigint, "untilBatchNo" bigint)`;
