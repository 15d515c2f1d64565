import { type HistoryState, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePoll } from '../graphql/use-poll.ts';
import type { List } from './use-list.ts';

const OPENS_ONLY = 'opensOnly';
/** A new order is found by its merchant's number, account or name only some seconds after its creation. */
const REPEAT_MS = 3_000;

/** Marks a search of the search box: if the list of this search has only one order, the order is opened. */
export const opensOnly = (search: string) => ({ [OPENS_ONLY]: search }) as HistoryState;

/**
 * Leads to the only order that a search of the search box found. The way back skips the list, which would only lead here
 * again. A search without a result is repeated. The address changes before the list does: what it asks for has to be what
 * the list shows.
 */
export function useOpenOnly(list: List<{ orderNo: string }>, search: string | undefined): void {
  const { connection, isLoading, refresh } = list;
  const navigate = useNavigate();
  const wanted = useRouterState({
    select: ({ location }) => (location.state as { readonly [OPENS_ONLY]?: string })[OPENS_ONLY],
  });
  const isAsked = wanted !== undefined && wanted === search;
  const only = isLoading || connection?.totalCount !== 1 ? undefined : connection.edges[0]?.node.orderNo;
  useEffect(() => {
    if (isAsked && only !== undefined)
      void navigate({ to: '/orders/$orderNo', params: { orderNo: only }, replace: true });
  }, [isAsked, only, navigate]);
  usePoll(refresh, isAsked && connection?.totalCount === 0 ? REPEAT_MS : null);
}
