/** CSV text (RFC 4180). A value that a spreadsheet would run as a formula gets an apostrophe in front. */
export function toCsv(titles: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  const cell = (value: string | null) => {
    const text = value ?? '';
    const isFormula = /^[=+@\t\r]/.test(text) || (text.startsWith('-') && !/^-\d+(\.\d+)?$/.test(text));
    const safe = isFormula ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
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
