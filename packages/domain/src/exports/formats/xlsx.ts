import { Readable } from 'node:stream';
import { isFormula } from '@tidegate/settings/csv-cell';
import { ZipFile } from 'yazl';
import { type Cell, type CellType, isNumeric, type Sheet, textOf } from './sheet.ts';

// A workbook with one sheet (ISO/IEC 29500, SpreadsheetML). Texts are written as inline strings, so that no table of texts is held in memory.

/** The same for each file, so that the same rows give the same bytes. */
const written = { mtime: new Date(Date.UTC(2000, 0, 1)), forceDosTimestamp: true, compressionLevel: 1 } as const;

/** The most characters of a cell. */
const maxText = 32_767;
/** A number with more digits would lose some: spreadsheets calculate with doubles. */
const maxDigits = 15;
/** Places in the list of cell formats in `styles`. */
const style = { text: 1, formula: 2, amount: 3, title: 4 } as const;

/** The sheet as a workbook of Excel, packed while it is written. */
export async function* writeXlsx(sheet: Sheet, title: string): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const rows = Readable.from(sheetXml(sheet), { objectMode: true, highWaterMark: 1 });
  const output = zip.outputStream as Readable;
  // The zip listens to the rows only once it has come to them.
  for (const part of [zip, rows]) part.on('error', (error: Error) => output.destroy(error));
  for (const [path, text] of Object.entries(parts(title))) zip.addBuffer(Buffer.from(text), path, written);
  zip.addReadStream(rows, 'xl/worksheets/sheet1.xml', written);
  zip.end();
  try {
    for await (const piece of output) yield piece as Buffer;
  } finally {
    rows.destroy();
  }
}

async function* sheetXml({ columns, pages }: Sheet): AsyncGenerator<Buffer> {
  const titles = columns.map(({ title }) => inline(title, style.title)).join('');
  yield Buffer.from(
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData><row>${titles}</row>`,
  );
  for await (const rows of pages) {
    let text = '';
    for (const row of rows)
      text += `<row>${columns.map(({ type }, i) => cellXml(row[i] ?? null, type)).join('')}</row>`;
    if (text !== '') yield Buffer.from(text);
  }
  yield Buffer.from('</sheetData></worksheet>');
}

function cellXml(cell: Cell, type: CellType): string {
  if (cell === null) return '<c/>';
  const text = textOf(cell, type);
  if (isNumeric(text, type) && text.replace(/\D/g, '').length <= maxDigits)
    return `<c${type === 'amount' ? ` s="${style.amount}"` : ''}><v>${text}</v></c>`;
  return inline(text, isFormula(text) ? style.formula : style.text);
}

/** A text, which is never calculated. One that looks like a formula stays a text when it is edited. */
function inline(text: string, format: number): string {
  return `<c s="${format}" t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, maxText))}</t></is></c>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text within XML. What XML 1.0 cannot hold becomes U+FFFD. Excel would read `_x0041_` as a letter. */
function escaped(text: string): string {
  if (!/[&<>"_\r\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(text)) return text;
  return text
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)
    .replaceAll('\r', '&#13;')
    .replace(/[\p{Cc}\uFFFE\uFFFF]/gu, (sign) => (/[\t\n\u0085]/.test(sign) ? sign : '\uFFFD'));
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';

/** Every part of the workbook except its sheet. */
function parts(title: string): Record<string, string> {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  // A name of a sheet has at most 31 characters, and not these.
  const name = escaped(title.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31));
  return {
    '[Content_Types].xml': `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${declaration}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
  };
}
