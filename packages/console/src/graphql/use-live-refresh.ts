import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useLive } from './use-live.ts';
import { useSoon } from './use-soon.ts';

/** Reads again whenever a subscription brings a message: for lists whose order a message does not show. */
export function useLiveRefresh<Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  refresh: () => void,
): void {
  const soon = useSoon(refresh);
  useLive(document, variables, { onData: soon, onMissed: soon });
}
