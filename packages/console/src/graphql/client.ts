import {
  type AnyVariables,
  Client,
  type CombinedError,
  cacheExchange,
  fetchExchange,
  mapExchange,
  type Operation,
  type OperationResult,
} from '@urql/core';
import { CONSOLE_HEADER, leave } from '../session/session.ts';
import { noteSlow } from '../state/slow.ts';
import { persistedQueryOf } from '../state/stub.ts';
import { knownChanges, noteOwnChange } from './changes.ts';
import { noteReachable } from './connection.ts';
import { readAfterChanges } from './read-after-changes.ts';

const TIMEOUT_MS = 30_000;

/** Sends every operation by its hash. */
function byHash<Variables extends AnyVariables>(
  operation: Operation<unknown, Variables>,
): Operation<unknown, Variables> {
  if (operation.kind === 'teardown') return operation;
  return { ...operation, extensions: { ...operation.extensions, ...persistedQueryOf(operation.query) } };
}

/**
 * A client with an empty cache. A new one is made for each operator, so that an operator never sees what another one
 * has read.
 */
export function makeClient(): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetchOptions: { headers: { ...CONSOLE_HEADER }, credentials: 'same-origin' },
    fetch: (input, init) => {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
      return noteSlow(fetch(input, { ...init, signal }));
    },
    exchanges: [
      mapExchange({ onResult: note }),
      mapExchange(readAfterChanges(() => knownChanges.get())),
      cacheExchange,
      mapExchange({ onOperation: byHash }),
      fetchExchange,
    ],
  });
}

function note({ error, operation }: OperationResult): void {
  // Also after an error: the change may have been made.
  if (operation.kind === 'mutation') noteOwnChange();
  if ((error?.response as Response | undefined)?.status === 401) leave();
  noteReachable(!error?.networkError || error.response !== undefined);
}

/** Whether the same request may succeed a moment later: the service is busy, restarts or cannot be reached. */
export function isTransient({ networkError, graphQLErrors, response }: CombinedError): boolean {
  const status = (response as Response | undefined)?.status;
  if (graphQLErrors.some(({ extensions }) => extensions?.code === 'SERVICE_UNAVAILABLE')) return true;
  return networkError !== undefined && (status === undefined || status >= 500);
}
