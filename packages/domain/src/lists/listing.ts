import type { JoinedReading } from './joined-rows.ts';
import type { Add } from './values.ts';

/** A table as a list, and the wanted part of it. The alias of its rows is `t`. */
export interface Listing {
  table: string;
  /** The columns to select. */
  columns: string;
  /** Rows to join by the same statement. */
  joined?: JoinedReading;
  /** Its order is the reverse of that in `lists`. */
  isReversed?: boolean;
  /** Only rows of these merchants, looked up one by one; null: rows of all, by one search. */
  merchants: readonly string[] | null;
  /** Conditions on columns of the same index as the key. They cost nothing, however few rows match. */
  access(add: Add): string[];
  /** Conditions that are checked row by row. */
  filters(add: Add): string[];
}

/** A list that belongs to a parent, e.g. to an order. The rows of each parent are a list of their own. */
export interface ChildList extends Pick<Listing, 'table' | 'columns'> {
  /**
   * The columns of the parent's key, all of them text. For rows of merchants `merchant_id` is the first. An index
   * starts with them.
   */
  parent: readonly string[];
}
