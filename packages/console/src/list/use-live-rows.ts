import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useState } from 'react';
import { useLive } from '../graphql/use-live.ts';
import type { List } from './use-list.ts';

interface LiveRows<Row, Data> {
  /** The row of a message; null if there is none. */
  pick(data: Data): Row | null | undefined;
  keyOf(row: Row): string;
  /** Whether a row that the page does not have belongs to its top. */
  isNew(row: Row): boolean;
}

const MOST_NEW = 50;

/** Lays rows that a subscription brings over a page: known rows are replaced, new ones are put on top. */
export function useLiveRows<Row, Data, Variables>(
  list: List<Row>,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { pick, keyOf, isNew }: LiveRows<Row, Data>,
): { list: List<Row>; isFresh(row: Row): boolean } {
  const [moved, setMoved] = useState<{ page: unknown; rows: ReadonlyMap<string, Row> }>({
    page: null,
    rows: new Map(),
  });
  // Another page, or the same read again, is newer than what was laid over it.
  const page = list.connection;
  const rows = moved.page === page ? moved.rows : new Map<string, Row>();
  useLive(document, variables, {
    onData: (data) => {
      const row = pick(data);
      if (!row) return;
      setMoved((old) => ({ page, rows: new Map(old.page === page ? old.rows : []).set(keyOf(row), row) }));
    },
    onMissed: list.refresh,
  });
  const known = new Set(list.rows.map(keyOf));
  const added = [...rows.values()].filter((row) => !known.has(keyOf(row)) && isNew(row)).toReversed();
  const shown = [...added.slice(0, MOST_NEW), ...list.rows.map((row) => rows.get(keyOf(row)) ?? row)];
  return { list: { ...list, rows: shown }, isFresh: (row) => rows.has(keyOf(row)) };
}
