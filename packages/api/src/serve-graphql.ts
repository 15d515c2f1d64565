import type { Domain, Log } from '@tidegate/domain';
import { createYoga } from 'graphql-yoga';
import { type ApiContext, makeContext, type RequestFacts } from './context.ts';
import { guardDocuments } from './guard-documents.ts';
import { maskError, reportErrors } from './report-errors.ts';
import { schema } from './schema.ts';

export interface GraphqlOptions {
  domain: Domain;
  log: Log;
  /** Whether the schema may be asked for: in the sandbox only (decisions 9). */
  openSchema: boolean;
}

/** Answers one GraphQL request whose JSON body is `body`. */
export type GraphqlHandler = (body: string, accept: string | undefined, facts: RequestFacts) => Promise<Response>;

/** GraphQL over POSTed JSON; no other method or media type gets here. */
export function serveGraphql({ domain, log, openSchema }: GraphqlOptions): GraphqlHandler {
  const yoga = createYoga<RequestFacts, ApiContext>({
    schema,
    context: (facts) => makeContext(domain, facts),
    maskedErrors: { maskError },
    plugins: [guardDocuments({ openSchema }), reportErrors(log)],
    batching: false,
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    // reportErrors logs, with the request's id.
    logging: false,
  });
  return async (body, accept, facts) => {
    const headers = { 'content-type': 'application/json', accept: accept ?? 'application/json' };
    return yoga.fetch('http://api/graphql', { method: 'POST', headers, body }, facts);
  };
}
