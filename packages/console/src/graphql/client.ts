import {
  type AnyVariables,
  Client,
  type CombinedError,
  cacheExchange,
  fetchExchange,
  mapExchange,
  type Operation,
} from '@urql/core';
import { MeDocument } from '../generated/documents.generated.ts';
import { CONSOLE_HEADER, leave } from '../session/session.ts';
import { noteReachable } from './connection.ts';
import { persistedQueryOf } from './stub.ts';

const PATIENCE_MS = 30_000;

/** Sends every operation by its hash. */
function byHash<Variables extends AnyVariables>(
  operation: Operation<unknown, Variables>,
): Operation<unknown, Variables> {
  if (operation.kind === 'teardown') return operation;
  return { ...operation, extensions: { ...operation.extensions, ...persistedQueryOf(operation.query) } };
}

let held: { operatorId: string | undefined; client: Client } | null = null;

/**
 * The client of an operator. A change of operator empties the cache, so that no operator sees what another one has read. What every
 * screen waits for is asked at once, while the scripts of the screen are loaded.
 */
export function clientOf(operatorId: string | undefined): Client {
  if (held === null || held.operatorId !== operatorId) {
    held = { operatorId, client: makeClient() };
    if (operatorId !== undefined) void held.client.query(MeDocument, {}).toPromise();
  }
  return held.client;
}

function makeClient(): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    requestPolicy: 'cache-and-network',
    fetchOptions: { headers: { ...CONSOLE_HEADER }, credentials: 'same-origin' },
    fetch: (input, init) => {
      const patience = AbortSignal.timeout(PATIENCE_MS);
      return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, patience]) : patience });
    },
    exchanges: [
      mapExchange({ onResult: ({ error }) => note(error) }),
      cacheExchange,
      mapExchange({ onOperation: byHash }),
      fetchExchange,
    ],
  });
}

function note(error: CombinedError | undefined): void {
  if ((error?.response as Response | undefined)?.status === 401) leave();
  noteReachable(!error?.networkError || error.response !== undefined);
}

/** What went wrong, as a text for people. */
export function messageOf(error: CombinedError): string {
  if (error.graphQLErrors.length > 0) return error.graphQLErrors.map(({ message }) => message).join('\n');
  const status = (error.response as Response | undefined)?.status;
  if (status === undefined) return 'The service cannot be reached. Check your network and try again.';
  return `The service answered with an error (${status}). Try again.`;
}
