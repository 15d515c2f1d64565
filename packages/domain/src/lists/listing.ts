import type { Add } from './values.ts';

/** How a table is read as a list. The alias of its rows is `t`. */
export interface Listing {
  table: string;
  /** The columns to select. */
  columns: string;
  /** Makes the complete statement from that of the page, which then selects all columns; default: it is complete. */
  around?: (page: string) => string;
  /** Its order is the reverse of that in `lists`. */
  isReversed?: boolean;
  /** Only rows of these merchants, looked up one by one; null: rows of all, by one search. */
  merchants: readonly string[] | null;
  /** Conditions that the index of the key can check. They are cheap even if few rows match. */
  indexConditions(add: Add): string[];
  /** Conditions that are checked row by row. */
  rowConditions(add: Add): string[];
}

/** A list that belongs to a parent, e.g. to an order. The rows of each parent are a list of their own. */
export interface ChildList extends Pick<Listing, 'table' | 'columns'> {
  /**
   * The columns of the parent's key, all of them text. For rows of merchants `merchant_id` is the first. An index
   * starts with them.
   */
  parent: readonly string[];
}
