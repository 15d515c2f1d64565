import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useEffect, useEffectEvent } from 'react';
import { reconnected } from './connection.ts';
import { openStream } from './stream.ts';

/** A hidden page keeps its streams for this long. Browsers allow six connections per host. */
const HIDDEN_MS = 20_000;

/**
 * Follows a subscription while the component is shown. `onData` takes each message. `onMissed` is called when changes may
 * have been missed: read the page again there. It is also called when the stream opens for the first time, because
 * something may have changed between the first read and that moment.
 */
export function useLive<Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { onData, onMissed }: { onData(data: Data): void; onMissed(): void },
): void {
  const take = useEffectEvent(onData);
  const missed = useEffectEvent(onMissed);
  const key = JSON.stringify(variables);
  useEffect(() => {
    let close: (() => void) | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      close ??= openStream(document, JSON.parse(key) as Variables, { onData: take, onOpen: missed });
    };
    const shut = () => {
      close?.();
      close = null;
    };
    const look = () => {
      clearTimeout(timer);
      if (window.document.hidden) {
        timer = setTimeout(shut, HIDDEN_MS);
      } else if (close === null) {
        open();
        missed();
      }
    };
    open();
    const stop = reconnected.subscribe(missed);
    window.document.addEventListener('visibilitychange', look);
    return () => {
      stop();
      window.document.removeEventListener('visibilitychange', look);
      clearTimeout(timer);
      shut();
    };
  }, [document, key]);
}
