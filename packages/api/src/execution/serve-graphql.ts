import { type UsePersistedOperationsOptions, usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import type { Log } from '@tidegate/domain';
import { createYoga, useExecutionCancellation } from 'graphql-yoga';
import type { ErrorCode } from '../errors/errors.ts';
import { type ApiContext, makeContext, type OperatorLookup, type RequestFacts } from '../graphql/context.ts';
import type { PersistedOperations } from '../graphql/persisted-operations.ts';
import { maskError, reportErrors } from '../graphql/report-errors.ts';
import { schema } from '../schema/schema.ts';
import { cacheNoErrors, openDocumentCache } from './document-cache.ts';
import { executeWithFreshContext } from './execute-with-fresh-context.ts';
import { guardDocuments } from './guard-documents.ts';
import { limitCost } from './limit-cost.ts';
import { limitLengths } from './limit-lengths.ts';

export interface GraphqlOptions extends OperatorLookup {
  log: Log;
  /** Counts every error in an answer, by its code. */
  countError(code: string): void;
  /** Whether introspection is allowed: in the sandbox only (decisions 9). */
  openSchema: boolean;
  /** The only allowed operations, with those of the console; default: any. */
  persistedOperations?: PersistedOperations;
  /** The console's own operations, which it sends by their hashes; default: none. */
  consoleOperations?: () => PersistedOperations;
}

export interface GraphqlRequest {
  /** JSON text. */
  body: string;
  accept: string | undefined;
  /** Aborts the execution: the client has left, or waited too long. */
  signal: AbortSignal;
  facts: RequestFacts;
}

/** Answers one GraphQL request. A subscription is answered by a stream of server-sent events. */
export type GraphqlHandler = (request: GraphqlRequest) => Promise<Response>;

/** GraphQL over POST with JSON. The route refuses other methods and media types. */
export function serveGraphql(options: GraphqlOptions): GraphqlHandler {
  const { log, countError, openSchema, persistedOperations, consoleOperations } = options;
  const known = persistedOperations || consoleOperations;
  const documents = openDocumentCache();
  const yoga = createYoga<RequestFacts, ApiContext>({
    schema,
    context: ({ request, ...facts }) => makeContext(options, facts, request.signal),
    maskedErrors: { maskError },
    plugins: [
      // Before hashes are replaced by documents: those that we know may be longer.
      limitLengths(),
      ...(known ? [usePersistedOperations(knownOperations(options))] : []),
      guardDocuments({ openSchema, documents }),
      limitCost(schema),
      executeWithFreshContext(),
      reportErrors(log, countError),
      useExecutionCancellation(),
    ],
    parserAndValidationCache: { documentCache: documents, errorCache: cacheNoErrors, validationCache: true },
    batching: false,
    // The server's own limit is far lower. Counting here again would cost a stream for every request.
    maxRequestBodySize: false,
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    // `reportErrors` logs, with the request's id.
    logging: false,
  });
  return async ({ body, accept, signal, facts }) => {
    const headers = { 'content-type': 'application/json', accept: mediaTypeOf(accept) };
    return yoga.fetch('http://api/graphql', { method: 'POST', headers, body, signal }, facts);
  };
}

const eventStream = 'text/event-stream';
const graphqlResponse = 'application/graphql-response+json';

/** The media type of the answer: the first supported one that the request names. */
function mediaTypeOf(accept = ''): string {
  const mediaTypes = accept.split(',').map((part) => part.split(';')[0]?.trim().toLowerCase());
  return mediaTypes.find((type) => type === eventStream || type === graphqlResponse) ?? 'application/json';
}

function knownOperations({
  persistedOperations,
  consoleOperations,
}: Pick<GraphqlOptions, 'persistedOperations' | 'consoleOperations'>): UsePersistedOperationsOptions {
  const why = (message: string, code: ErrorCode = 'BAD_USER_INPUT') => ({ message, extensions: { code } });
  const onlyKnown = why('only persisted operations are answered here: send extensions.persistedQuery.sha256Hash');
  return {
    getPersistedOperation: (hash) => persistedOperations?.get(hash) ?? consoleOperations?.().get(hash) ?? null,
    allowArbitraryOperations: persistedOperations === undefined,
    customErrors: {
      notFound: why('there is no persisted operation of this hash'),
      persistedQueryOnly: onlyKnown,
      keyNotFound: persistedOperations
        ? onlyKnown
        : why('send a document as query, or the hash of a persisted one', 'BAD_REQUEST'),
    },
  };
}
