import { largestStatement } from '@tidegate/domain/reconciliation';

/** The limits of one file. A larger file is refused as a whole, with StatementUnreadable. */
export interface Limits {
  /** Bytes of the file. For a zip file: bytes of its unpacked content. */
  bytes: number;
  /** Bytes of a zip file. It is held in memory, because its directory is at its end. */
  zipBytes: number;
  /** How many times larger than its packed size a file in a zip file may be. */
  zipRatio: number;
  /** Files in a zip file. */
  zipEntries: number;
  /** Characters of one row, and of each of its parts. */
  rowLength: number;
  /** Characters of one reference. A row with a longer one is set aside. */
  referenceLength: number;
  rows: number;
  /** Lines of one row, for example of a batch. */
  parts: number;
}

export const defaultLimits: Limits = {
  bytes: largestStatement,
  zipBytes: 64 * 1024 * 1024,
  zipRatio: 200,
  zipEntries: 10,
  rowLength: 64 * 1024,
  referenceLength: 128,
  rows: 5_000_000,
  parts: 50_000,
};
