import { type StatementFormat, type StatementRow, StatementUnreadable } from '@tidegate/domain/reconciliation';
import { BadRow } from '../reading/bad-row.ts';
import { boundedBytes, peek } from '../reading/bytes.ts';
import type { Limits } from '../reading/limits.ts';
import { startText } from '../reading/start.ts';
import { decodeText, type TextLine, textLines } from '../reading/text.ts';
import {
  type AlipayRow,
  type Column,
  columnNames,
  optionalColumns,
  type RowContext,
  readAlipayRow,
} from './read-row.ts';
import { noNotes, readNote, Totals } from './totals.ts';
import { unzipDetail } from './unzip.ts';

/**
 * Alipay's daily bill of payments (`alipay.data.dataservice.bill.downloadurl.query`, bill_type `trade`): the zip file
 * as it is downloaded, or the CSV of payments in it.
 *
 * The CSV has no quotes. A product name with a comma moves the columns, so such a row is set aside.
 */
export function alipayBill(limits: Limits): StatementFormat {
  return {
    name: 'alipay-bill',
    version: 2,
    recognises: (start) => beginsWithCsv(start) || (startText(start, 'gbk').split('\n', 1)[0] ?? '').includes('支付宝'),
    async *read(bytes, options) {
      const { first, all } = await peek(boundedBytes(bytes, limits.bytes), 4);
      const csv = isZip(first) ? unzipDetail(all, limits) : all;
      yield* readBill(textLines(decodeText(csv, 'gbk'), limits), { limits, options });
    },
  };
}

const isZip = (start: Uint8Array): boolean => Buffer.from(start).subarray(0, 2).toString('latin1') === 'PK';

/** Whether it is a zip file whose first file is a CSV. A workbook of a spreadsheet is a zip file too. */
function beginsWithCsv(start: Uint8Array): boolean {
  const header = Buffer.from(start);
  if (!isZip(start) || header.length < 30) return false;
  const name = header.subarray(30, 30 + header.readUInt16LE(26)).toString('latin1');
  return name.toLowerCase().endsWith('.csv');
}

async function* readBill(lines: AsyncIterable<TextLine>, context: RowContext): AsyncGenerator<StatementRow> {
  let notes = noNotes;
  let header: Header | null = null;
  let isOver = false;
  const totals = new Totals();
  for await (const { lineNo, text } of lines) {
    if (lineNo === 1 && !text.includes('支付宝'))
      throw new StatementUnreadable('other_format', 'this is not a bill of Alipay', 1);
    if (text.startsWith('#')) {
      notes = readNote(notes, text, lineNo);
      isOver ||= text.includes('列表结束');
    } else if (text.trim() === '') continue;
    else if (isOver) throw new StatementUnreadable('damaged', 'a row after the end of the list', lineNo);
    else if (header === null) header = readHeader(text, lineNo);
    else yield* readRow(lineNo, text, header, totals, context);
  }
  if (header === null || !isOver) throw new StatementUnreadable('damaged', 'the bill ends before the end of its list');
  totals.compare(notes);
  const { account, from, to } = notes;
  const summary = {
    account,
    currency: null,
    from,
    to,
    opening: null,
    closing: null,
    // The totals are compared here. They do not include fees, so they cannot be compared with sums of the lines.
    lines: totals.rows,
    totalIn: null,
    totalOut: null,
  };
  yield { kind: 'summary', summary };
}

interface Header {
  columns: number;
  places: ReadonlyMap<Column, number>;
}

function readHeader(text: string, lineNo: number): Header {
  const names = cellsOf(text).map((name) => name.replaceAll('（', '(').replaceAll('）', ')'));
  const places = new Map<Column, number>();
  for (const [column, name] of Object.entries(columnNames) as [Column, string][]) {
    const place = names.indexOf(name);
    if (place >= 0) places.set(column, place);
    else if (!optionalColumns.includes(column))
      throw new StatementUnreadable('other_format', `the column ${name} is missing`, lineNo);
  }
  return { columns: names.length, places };
}

/** Each id has a tab before or after it, so that spreadsheets show all of its digits. */
function cellsOf(text: string): string[] {
  return text.split(',').map((cell) => cell.trim());
}

function readRow(lineNo: number, text: string, header: Header, totals: Totals, context: RowContext): StatementRow[] {
  const cells = cellsOf(text);
  let row: AlipayRow | null = null;
  let reason = 'another number of columns';
  try {
    if (cells.length === header.columns)
      row = readAlipayRow(lineNo, (column) => cells[header.places.get(column) ?? -1] ?? '', context);
  } catch (error) {
    if (!(error instanceof BadRow)) throw error;
    reason = error.message;
  }
  totals.add(row);
  return row?.rows ?? [{ kind: 'unparsed', lineNo, reason }];
}
