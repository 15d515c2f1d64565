import { csvCell } from '@tidegate/settings/csv-cell';

/** A number below zero begins as a formula does. */
const isBelowZero = (text: string): boolean => /^-\d{1,30}(\.\d{1,10})?$/.test(text);

/** CSV text, with cells as in exports. */
export function toCsv(titles: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  const cell = (value: string | null): string => csvCell(value ?? '', isBelowZero(value ?? ''));
  return [titles, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Saves rows as a file. The mark at its beginning makes Excel read it as UTF-8. */
export function saveCsv(name: string, titles: readonly string[], rows: readonly (readonly (string | null)[])[]): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', toCsv(titles, rows)], { type: 'text/csv;charset=utf-8' }));
  const link = window.document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
