/** Formats rows as a text table. The first row is the head. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const [head, ...body] = rows.map(line);
  return [head, widths.map((width) => '─'.repeat(width)).join('  '), ...body].map((text) => `  ${text}`).join('\n');
}
