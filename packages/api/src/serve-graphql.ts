import { type UsePersistedOperationsOptions, usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import type { Domain, Log } from '@tidegate/domain';
import { createYoga, useExecutionCancellation } from 'graphql-yoga';
import { type ApiContext, makeContext, type RequestFacts } from './context.ts';
import { guardDocuments } from './guard-documents.ts';
import { limitCost } from './limit-cost.ts';
import type { PersistedOperations } from './persisted-operations.ts';
import { maskError, reportErrors } from './report-errors.ts';
import { schema } from './schema.ts';

export interface GraphqlOptions {
  domain: Domain;
  log: Log;
  /** Whether the schema may be asked for: in the sandbox only (decisions 9). */
  openSchema: boolean;
  /** The only operations that are answered; default: any. */
  persistedOperations?: PersistedOperations;
}

export interface GraphqlRequest {
  /** JSON text. */
  body: string;
  accept: string | undefined;
  /** Ends the execution: the one who asked is gone, or waited too long. */
  signal: AbortSignal;
  facts: RequestFacts;
}

/** Answers one GraphQL request; a subscription by a stream of server-sent events. */
export type GraphqlHandler = (request: GraphqlRequest) => Promise<Response>;

/** GraphQL over POSTed JSON; no other method or media type gets here. */
export function serveGraphql({ domain, log, openSchema, persistedOperations }: GraphqlOptions): GraphqlHandler {
  const yoga = createYoga<RequestFacts, ApiContext>({
    schema,
    context: (facts) => makeContext(domain, facts),
    maskedErrors: { maskError },
    plugins: [
      ...(persistedOperations ? [usePersistedOperations(onlyThese(persistedOperations))] : []),
      guardDocuments({ openSchema }),
      limitCost(schema),
      reportErrors(log),
      useExecutionCancellation(),
    ],
    batching: false,
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    // reportErrors logs, with the request's id.
    logging: false,
  });
  return async ({ body, accept, signal, facts }) => {
    const headers = { 'content-type': 'application/json', accept: accept ?? 'application/json' };
    return yoga.fetch('http://api/graphql', { method: 'POST', headers, body, signal }, facts);
  };
}

function onlyThese(operations: PersistedOperations): UsePersistedOperationsOptions {
  const why = (message: string) => ({ message, extensions: { code: 'BAD_USER_INPUT' } });
  return {
    getPersistedOperation: (hash) => operations.get(hash) ?? null,
    allowArbitraryOperations: false,
    customErrors: {
      notFound: why('there is no persisted operation of this hash'),
      persistedQueryOnly: why('only persisted operations are answered here: send extensions.persistedQuery.sha256Hash'),
      keyNotFound: why('only persisted operations are answered here: send extensions.persistedQuery.sha256Hash'),
    },
  };
}
