import { csvCell } from '@tidegate/settings/csv-cell';
import { type Cell, type CellType, isNumeric, type Sheet, textOf } from './sheet.ts';

/** Makes Excel read the file as UTF-8. */
const mark = '\uFEFF';

/** CSV as RFC 4180 has it. No text runs as a formula in a spreadsheet (`csvCell`). */
export async function* writeCsv({ columns, pages }: Sheet): AsyncGenerator<Buffer> {
  yield Buffer.from(mark + lineOf(columns.map(({ title }) => csvCell(title))));
  for await (const rows of pages) {
    let text = '';
    for (const row of rows) text += lineOf(columns.map(({ type }, i) => cellText(row[i] ?? null, type)));
    if (text !== '') yield Buffer.from(text);
  }
}

function cellText(cell: Cell, type: CellType): string {
  const text = textOf(cell, type);
  return csvCell(text, isNumeric(text, type));
}

function lineOf(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}
