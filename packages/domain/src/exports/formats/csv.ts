import { type Cell, type CellType, isFormula, isNumeric, type Sheet, textOf } from './sheet.ts';

/** Makes Excel read the file as UTF-8. */
const mark = '\uFEFF';

/** CSV as RFC 4180 has it. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export async function* writeCsv({ columns, pages }: Sheet): AsyncGenerator<Buffer> {
  yield Buffer.from(mark + lineOf(columns.map(({ title }) => quoted(safe(title, 'text')))));
  for await (const rows of pages) {
    let text = '';
    for (const row of rows) text += lineOf(columns.map(({ type }, i) => cellText(row[i] ?? null, type)));
    if (text !== '') yield Buffer.from(text);
  }
}

/** A formula after what some spreadsheets split cells at. They ignore the quotes of a cell that they split. */
const laterFormula = /([;,|\t\r\n]\s*)(?=[=+\-@＝＋－＠])/g;

function cellText(cell: Cell, type: CellType): string {
  return cell === null ? '' : quoted(safe(textOf(cell, type), type));
}

function safe(text: string, type: CellType): string {
  if (isNumeric(text, type)) return text;
  const inside = text.slice(0, 1) + text.slice(1).replace(laterFormula, "$1'");
  return isFormula(inside) ? `'${inside}` : inside;
}

function quoted(text: string): string {
  return /[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function lineOf(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}
