import type { CsvProfile } from '@tidegate/domain/reconciliation';
import { startText } from '../reading/start.ts';
import { findColumns } from './columns.ts';
import { RowCutter } from './cut-rows.ts';

/** Whether the row of column names that the profile expects is at the beginning of a file with these first bytes. */
export function hasHeader(start: Uint8Array, profile: CsvProfile): boolean {
  const cutter = new RowCutter(profile.delimiter, start.length + 1);
  let seen = 0;
  let lineNo = 0;
  for (const text of startText(start, profile.encoding).split(/\r\n|\n|\r/)) {
    lineNo += 1;
    for (const { cells } of cutter.push({ lineNo, text })) {
      if (cells?.every((cell) => cell.trim() === '')) continue;
      if (cells && findColumns(cells, profile) !== null) return true;
      seen += 1;
      if (seen > profile.preambleRows) return false;
    }
  }
  return false;
}
