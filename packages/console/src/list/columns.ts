import type { ReactNode } from 'react';

/** A column of a list. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** `end` for amounts and counts. */
  readonly align?: 'end';
  /** Shown only once an operator chooses it. */
  readonly isExtra?: boolean;
  /** Always shown. The first column is, too. */
  readonly isFixed?: boolean;
  /** Where a phone shows it: in the line's first or second row, at its start or end. Default: nowhere. */
  readonly phone?: 'top' | 'topEnd' | 'bottom' | 'bottomEnd';
}

/** The columns to show. */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  chosen: readonly string[] | null,
): readonly Column<Row>[] {
  return columns.filter(
    ({ id, isFixed, isExtra }, i) => i === 0 || isFixed || (chosen === null ? !isExtra : chosen.includes(id)),
  );
}
