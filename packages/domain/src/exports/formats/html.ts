import { type Cell, type Sheet, textOf } from './sheet.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const style = `@page { size: A4 landscape; margin: 12mm }
body { font: 9pt/1.35 system-ui, sans-serif; color: #000; background: #fff; margin: 1rem }
h1 { font-size: 13pt; margin: 0 0 .6rem }
table { border-collapse: collapse; width: 100% }
thead { display: table-header-group }
tr { break-inside: avoid }
th, td { padding: .15rem .4rem; border-bottom: .5pt solid #999; text-align: left; vertical-align: top }
th { border-bottom: 1pt solid #000 }
.amount, .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.time { white-space: nowrap }
tbody tr:first-child td, tbody tr:last-child td { font-weight: 600 }`;

/** The sheet as a page for print on A4, without scripts or anything that would be fetched. */
export async function* writeHtml({ columns, pages }: Sheet, title: string): AsyncGenerator<Buffer> {
  const name = escaped(title);
  const titles = columns.map(({ title, type }) => `<th scope="col" class="${type}">${escaped(title)}</th>`).join('');
  yield Buffer.from(
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${name}</title><style>${style}</style></head><body><h1>${name}</h1><table><thead><tr>${titles}</tr></thead><tbody>\n`,
  );
  for await (const rows of pages) {
    let text = '';
    for (const row of rows)
      text += `<tr>${columns.map(({ type }, i) => cellHtml(row[i] ?? null, type)).join('')}</tr>\n`;
    if (text !== '') yield Buffer.from(text);
  }
  yield Buffer.from('</tbody></table></body></html>\n');
}

function cellHtml(cell: Cell, type: Sheet['columns'][number]['type']): string {
  return `<td class="${type}">${escaped(textOf(cell, type))}</td>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
