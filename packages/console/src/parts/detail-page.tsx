import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { CombinedError } from '@urql/core';
import type { ReactNode } from 'react';
import { type AnyVariables, useQuery } from 'urql';
import { useChanges } from '../graphql/changes.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { Failure } from './notice.tsx';
import { Empty, Page, Panel } from './page.tsx';

/** What the page of one record reads. `found` is null while it is loaded, and if there is none. */
export interface Detail<Data, Found> {
  readonly data: Data | undefined;
  readonly found: Found | null;
  readonly isLoading: boolean;
  readonly error: CombinedError | undefined;
  /** Reads the record again, without the cache. */
  refresh(): void;
}

/** Reads one record. `pick` finds it in the answer. `isAddress`: whether the URL can name one; if not, nothing is read. */
export function useDetail<Data, Variables extends AnyVariables, Found>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  pick: (data: Data) => Found | null | undefined,
  isAddress = true,
): Detail<Data, Found> {
  const [{ data, fetching, error }, read] = useQuery({ query: document, variables, pause: !isAddress } as Parameters<
    typeof useQuery<Data, Variables>
  >[0]);
  const found = (data && pick(data)) ?? null;
  const refresh = () => {
    if (isAddress) read({ requestPolicy: 'network-only' });
  };
  useChanges(useSoon(refresh));
  return { data, found, isLoading: fetching, error, refresh };
}

/** What a page shows of the record that it found. */
interface Shown {
  readonly title?: string;
  readonly heading?: ReactNode;
  readonly actions?: ReactNode;
  readonly body: ReactNode;
}

export interface DetailPageProps<Data, Found, Parts> {
  /** Names the record by its number. */
  title: string;
  one: Detail<Data, Found>;
  /** The text if the record does not exist. */
  missing: readonly [title: string, advice?: string];
  show(found: Found, data: Data): Parts;
}

/** A page about one record. It also shows loading, failure and "not found". */
export function DetailPage<Data, Found>({ title, one, missing, show }: DetailPageProps<Data, Found, Shown>) {
  const { data, found, isLoading, error, refresh } = one;
  const shown = data !== undefined && found !== null ? show(found, data) : null;
  return (
    <Page title={shown?.title ?? title} heading={shown?.heading} actions={shown?.actions}>
      {error && <Failure error={error} retry={refresh} />}
      {shown?.body}
      {!shown && !error && (
        <Panel>
          {isLoading ? (
            <p className="soft" aria-busy="true">
              Loading …
            </p>
          ) : (
            <Empty title={missing[0]}>{missing[1]}</Empty>
          )}
        </Panel>
      )}
    </Page>
  );
}
