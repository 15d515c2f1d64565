import { type CsvColumns, type CsvProfile, sameName } from '@tidegate/domain/reconciliation';

export interface Places {
  /** The number of cells of a row. */
  columns: number;
  /** The index of the cell of each used column. */
  of: ReadonlyMap<keyof CsvColumns | 'status', number>;
}

/** Positions of a profile's columns, if this row has each of their names once; null if it is another row. */
export function findColumns(cells: readonly string[], { columns, status }: CsvProfile): Places | null {
  const names = cells.map(sameName);
  const of = new Map<keyof CsvColumns | 'status', number>();
  const wanted: [keyof CsvColumns | 'status', string | undefined][] = [
    ...(Object.entries(columns) as [keyof CsvColumns, string | undefined][]),
    ['status', status?.column],
  ];
  for (const [column, name] of wanted) {
    if (name === undefined) continue;
    const place = names.indexOf(sameName(name));
    // Of two columns with one name nobody knows which is meant.
    if (place < 0 || names.includes(sameName(name), place + 1)) return null;
    of.set(column, place);
  }
  return { columns: cells.length, of };
}
