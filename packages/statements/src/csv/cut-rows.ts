import type { TextLine } from '../reading/text.ts';

/** A row of a CSV. `cells` is null if it could not be cut into cells. */
export interface CutRow {
  lineNo: number;
  cells: string[] | null;
}

/** The maximum number of lines of one row. */
const maxLines = 100;

/**
 * Cuts lines into cells, as RFC 4180 says. A quoted cell may have line breaks. A line with wrong quotes has no cells.
 * The lines after it are then read again, as rows of their own.
 */
export class RowCutter {
  readonly #delimiter: string;
  readonly #longest: number;
  /** The lines of a row whose quoted cell has not ended yet. */
  #open: TextLine[] = [];
  /** Characters of these lines, with their line breaks. */
  #length = 0;
  /** The number of cells that a row of several lines must have; null until it is known. */
  columns: number | null = null;

  constructor(delimiter: string, longest: number) {
    this.#delimiter = delimiter;
    this.#longest = longest;
  }

  push(line: TextLine): CutRow[] {
    const found: CutRow[] = [];
    const waiting = [line];
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      // The quoted cell goes on: the lines before need not be cut again.
      const goesOn = this.#open.length > 0 && !endsQuoted(next.text);
      this.#open.push(next);
      this.#length += next.text.length + 1;
      const row = goesOn ? this.#stillOpen() : this.#cutOpen();
      if (row === 'open') continue;
      // Only the first line has no cells. The lines after it may be rows of their own.
      if (row.cells === null) waiting.unshift(...this.#open.slice(1));
      this.#clear();
      found.push(row);
    }
    return found;
  }

  /** Returns the rows of the lines that are left at the end of the file. */
  end(): CutRow[] {
    const found: CutRow[] = [];
    while (this.#open.length > 0) {
      const [first, ...rest] = this.#open;
      this.#clear();
      if (first !== undefined) found.push({ lineNo: first.lineNo, cells: null });
      for (const line of rest) found.push(...this.push(line));
    }
    return found;
  }

  #clear(): void {
    this.#open = [];
    this.#length = 0;
  }

  /** A row without cells if its quoted cell goes on for too long. */
  #stillOpen(): CutRow | 'open' {
    const isTooLong = this.#open.length >= maxLines || this.#length > this.#longest + 1;
    return isTooLong ? { lineNo: this.#open[0]?.lineNo ?? 0, cells: null } : 'open';
  }

  #cutOpen(): CutRow | 'open' {
    const lines = this.#open;
    const lineNo = lines[0]?.lineNo ?? 0;
    const text = lines.length === 1 ? (lines[0]?.text ?? '') : lines.map((line) => line.text).join('\n');
    const cells = cutCells(text, this.#delimiter);
    if (cells === 'open') return this.#stillOpen();
    const isWhole = lines.length === 1 || this.columns === null || cells?.length === this.columns;
    return { lineNo, cells: isWhole ? cells : null };
  }
}

/** `open`: a quoted cell does not end. null: there is text between the end of a quoted cell and the delimiter. */
function cutCells(text: string, delimiter: string): string[] | null | 'open' {
  if (!text.includes('"')) return text.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; at <= text.length; ) {
    if (text[at] === '"') {
      const quoted = readQuoted(text, at + 1);
      if (quoted === null) return 'open';
      if (quoted.end < text.length && text[quoted.end] !== delimiter) return null;
      cells.push(quoted.cell);
      at = quoted.end + 1;
    } else {
      const found = text.indexOf(delimiter, at);
      const end = found < 0 ? text.length : found;
      cells.push(text.slice(at, end));
      at = end + 1;
    }
  }
  return cells;
}

/** Whether a quoted cell that began in an earlier line ends in this one: it has a quote that is not one of two. */
function endsQuoted(text: string): boolean {
  return readQuoted(text, 0) !== null;
}

/** A quoted cell, and the position after its closing quote. Two quotes in the cell stand for one. */
function readQuoted(text: string, start: number): { cell: string; end: number } | null {
  let cell = '';
  for (let at = start; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return null;
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 };
    cell += '"';
    at = quote + 2;
  }
}
