import type { ReactNode } from 'react';
import { createKeptStore, type Store } from '../preferences/store.ts';

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

const stores = new Map<string, Store<readonly string[] | null>>();

/** The ids of the columns that an operator chose for a list; null for those that are shown at first. */
export function chosenColumns(list: string): Store<readonly string[] | null> {
  let store = stores.get(list);
  if (!store) {
    store = createKeptStore<readonly string[] | null>(`tidegate-columns-${list}`, null, readIds);
    stores.set(list, store);
  }
  return store;
}

function readIds(text: string): string[] | null {
  const ids: unknown = JSON.parse(text);
  return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : null;
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
