import type { ReactNode } from 'react';

/** A column of a list. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** `end` for amounts and counts. */
  readonly align?: 'end';
  /** The column is shown only if an operator chooses it. */
  readonly isExtra?: boolean;
  /** The column is always shown. The first column is always shown too. */
  readonly isFixed?: boolean;
  /** Shown in a list of at least this width in rem, and where an operator chooses it. Default: always. */
  readonly from?: number;
  /** The texts of the column may be long, and are broken into lines. */
  readonly wraps?: boolean;
  /** Position on a phone: in the line's first or second row, at its start or end. Default: nowhere. */
  readonly phone?: 'top' | 'topEnd' | 'bottom' | 'bottomEnd';
}

/** Below this width in rem a list has no columns, but two lines for each row. */
const PHONE = 40;

/** The columns to show in a list of this width in rem. What an operator chose is shown in every width. */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  chosen: readonly string[] | null,
  width: number,
): readonly Column<Row>[] {
  const fits = ({ from = 0, phone }: Column<Row>) => (width < PHONE ? phone !== undefined : width >= from);
  return columns.filter((column, i) => {
    if (i === 0 || column.isFixed) return true;
    return chosen === null ? !column.isExtra && fits(column) : chosen.includes(column.id);
  });
}
