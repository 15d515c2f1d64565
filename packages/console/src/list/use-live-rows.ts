import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useEffect, useRef, useState } from 'react';
import { useLive } from '../graphql/use-live.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { type Below, type LaidRows, layRows, mergeRows } from './lay-rows.ts';
import type { List } from './use-list.ts';

interface LiveRows<Row, Data> extends Pick<Below<Row>, 'keyOf' | 'isNew' | 'versionOf'> {
  /** The row of a message; null if there is none. */
  pick(data: Data): Row | null | undefined;
}

/**
 * Rows that arrive within this time are shown together, because many updates per second would keep the browser busy.
 */
const TOGETHER_MS = 200;
/** With more new rows than this the page is read again: its pages then follow each other without gaps. */
const MANY_NEW = 50;

/** Combines a page with rows of a subscription: known rows are replaced, and new ones are added at the top. */
export function useLiveRows<Row, Data, Variables>(
  list: List<Row>,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { pick, ...how }: LiveRows<Row, Data>,
): { list: List<Row>; isFresh(row: Row): boolean } {
  const stream = JSON.stringify(variables);
  const [kept, setKept] = useState<{ stream: string; laid: LaidRows<Row> }>({ stream, laid: new Map() });
  // Another filter has other rows.
  const laid: LaidRows<Row> = kept.stream === stream ? kept.laid : new Map();
  const below: Below<Row> = { ...how, page: list.connection, rows: list.rows };
  const take = useTogether((rows: readonly Row[]) => setKept({ stream, laid: layRows(laid, rows, below) }));
  useLive(document, variables, {
    onData: (data) => {
      const row = pick(data);
      if (row) take(row);
    },
    onMissed: list.refresh,
  });
  const { added, rows } = mergeRows(laid, below);
  const readAgain = useSoon(list.refresh);
  const isTooMuch = added.length > MANY_NEW && !list.isLoading;
  useEffect(() => {
    if (isTooMuch) readAgain();
  });
  return {
    list: { ...list, rows: [...added, ...rows] },
    isFresh: (row) => laid.has(how.keyOf(row)),
  };
}

/** A function that gathers values for a moment, and then hands them to `act` together. */
function useTogether<Value>(act: (values: readonly Value[]) => void): (value: Value) => void {
  const waiting = useRef<Value[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const hand = useRef(act);
  useEffect(() => {
    hand.current = act;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return (value) => {
    waiting.current.push(value);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      hand.current(waiting.current.splice(0));
    }, TOGETHER_MS);
  };
}
