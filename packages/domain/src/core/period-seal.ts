import { hash } from 'node:crypto';

/** Where the numbered rows of a merchant end: the last entry, transfer, decision and link of the ledger chain. */
export interface LedgerEnd {
  readonly entryNo: number;
  readonly transferNo: number;
  readonly auditNo: number;
  readonly batchNo: number;
}

/**
 * What a seal says about a merchant's month. `from` and `to` are positions of the audit: the numbers of the last rows
 * before the period and in it, and the hashes of the last links. A row belongs to the period by its number, whatever its
 * time says. It does not say when it was made: the same rows give the same seal, also after the database was restored.
 */
export interface SealContent<Position extends LedgerEnd = LedgerEnd> {
  readonly version: 1;
  readonly merchantId: string;
  /** Numbered from 1 without gaps for each merchant. */
  readonly sealNo: number;
  /** The month, in UTC, e.g. `2026-03`. */
  readonly period: string;
  /** SHA-256 of the previous seal's text; zeros for the first. */
  readonly previous: string;
  readonly from: Position;
  readonly to: Position;
  /** The root of the Merkle tree over the hashes of the links, computed from the rows that they cover. */
  readonly links: string;
}

/** The text that is signed. */
export function textOfSeal(content: SealContent): string {
  return JSON.stringify(content);
}

/** What another seal's `previous` has to be. */
export function hashOfSeal(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The content of a text; null if it is no seal. Call it for signed texts only. */
export function readSealText<Position extends LedgerEnd>(text: string): SealContent<Position> | null {
  try {
    const content: SealContent<Position> = JSON.parse(text);
    return content.version === 1 ? content : null;
  } catch {
    return null;
  }
}

/** Rows of numbered sequences between the ends of a seal: a measure of the work to verify it. */
export function rowsBetween(from: LedgerEnd, to: LedgerEnd): number {
  const numbers = ['entryNo', 'transferNo', 'auditNo', 'batchNo'] as const;
  return numbers.reduce((sum, name) => sum + to[name] - from[name], 0);
}

/** The month of a time, in UTC. */
export function periodOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** The end of a month, in Unix ms: the first moment of the next one. */
export function endOfPeriod(period: string): number {
  const [year = 0, month = 0] = period.split('-').map(Number);
  return Date.UTC(year, month);
}

/** The month after this one. */
export function nextPeriod(period: string): string {
  return periodOf(endOfPeriod(period));
}
