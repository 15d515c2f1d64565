import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useNavigate } from '@tanstack/react-router';
import type { CombinedError } from '@urql/core';
import { type AnyVariables, useQuery } from 'urql';
import { useOwnChanges } from '../graphql/changes.ts';
import { useSoon } from '../graphql/use-soon.ts';

/** A page of a list as the API gives it. */
export interface Connection<Row> {
  readonly edges: readonly { readonly node: Row }[];
  readonly pageInfo: {
    readonly startCursor: string | null;
    readonly endCursor: string | null;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
  readonly totalCount: number;
  readonly totalCountIsExact: boolean;
  /** Where the search of this page ended before it was full: a time or an amount. Only of lists that are searched in parts. */
  readonly searchedUntil?: string | null;
  readonly searchedUntilAmount?: string | null;
}

/** What a list shows. Rows of an earlier page stay while the next is read. */
export interface List<Row> {
  readonly rows: readonly Row[];
  readonly connection: Connection<Row> | null;
  readonly isLoading: boolean;
  readonly error: CombinedError | undefined;
  /** Reads the page again, past the cache. */
  refresh(): void;
}

/** Reads a page of a list. `pick` finds the connection in the answer. */
export function useList<Data, Variables extends AnyVariables, Row>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  pick: (data: Data) => Connection<Row> | null | undefined,
): List<Row> {
  const [{ data, fetching, error }, read] = useQuery({ query: document, variables } as Parameters<
    typeof useQuery<Data, Variables>
  >[0]);
  const connection = (data && pick(data)) ?? null;
  const refresh = () => read({ requestPolicy: 'network-only' });
  useOwnChanges(useSoon(refresh));
  return {
    rows: connection?.edges.map(({ node }) => node) ?? [],
    connection,
    isLoading: fetching,
    error,
    refresh,
  };
}

/** Changes search parameters of the present page; undefined removes one. Filters begin at the first page again. */
export function useSetSearch(): (changes: Record<string, unknown>, options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  return (changes, { replace = false } = {}) => {
    const search = (old: Record<string, unknown>) => ({ ...old, after: undefined, before: undefined, ...changes });
    void navigate({ to: '.', search: search as never, replace });
  };
}
