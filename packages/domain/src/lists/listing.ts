import type { JoinedReading } from './joined-rows.ts';
import type { Add } from './values.ts';

/** A table as a list, and what of it is asked for. Its rows go by the alias `t`. */
export interface Listing {
  table: string;
  /** What a row is read as. */
  columns: string;
  /** What comes with the page by the same statement. */
  joined?: JoinedReading;
  /** Its rows go the other way than `lists` says. */
  isReversed?: boolean;
  /** Only rows of these merchants, each looked up by itself; null: of all, in one. */
  merchants: readonly string[] | null;
  /** Conditions that an index serves together with the key: they cost nothing, however few rows meet them. */
  access(add: Add): string[];
  /** Conditions that each row has to be looked at for. */
  filters(add: Add): string[];
}

/** A list that belongs to something, e.g. to an order: the rows of each parent are a list of their own. */
export interface ChildList extends Pick<Listing, 'table' | 'columns'> {
  /** The columns that name the parent, all of them text; what is merchants' begins with `merchant_id`. An index serves them with the key. */
  parent: readonly string[];
}
