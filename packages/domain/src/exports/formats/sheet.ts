/** What a column holds. Only an `amount` or a `number` may be read as a number by a spreadsheet. `time`: Unix milliseconds. */
export type CellType = 'text' | 'amount' | 'number' | 'time';

export type Cell = string | number | null;

export interface Column {
  title: string;
  type: CellType;
}

/** A table that is written row by row, page by page. */
export interface Sheet {
  columns: readonly Column[];
  pages: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** Writes a sheet as the bytes of a file. The same rows give the same bytes. */
export type WriteSheet = (sheet: Sheet, title: string) => AsyncIterable<Uint8Array>;

/** A cell as text. Times are ISO 8601 in UTC. */
export function textOf(cell: Cell, type: CellType): string {
  if (cell === null) return '';
  return type === 'time' ? new Date(Number(cell)).toISOString() : String(cell);
}

/** A number as people and the ledger write it. Nothing else stays a number in a spreadsheet. */
const plainNumber = /^-?[0-9]{1,30}(\.[0-9]{1,10})?$/;

export function isNumeric(text: string, type: CellType): boolean {
  return (type === 'amount' || type === 'number') && plainNumber.test(text);
}
