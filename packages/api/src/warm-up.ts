import { setImmediate } from 'node:timers/promises';
import type { OperatorContext } from '@tidegate/domain/operators';
import { type DocumentNode, getOperationAST, parse, validate } from 'graphql';
import { graphiqlExamples } from './graphiql-examples.ts';
import { schema } from './schema.ts';
import { type GraphqlOptions, serveGraphql } from './serve-graphql.ts';

/** A document as clients send it. */
interface WarmUpDocument {
  query: string;
  variables?: object;
}

export interface WarmUpOptions extends Pick<GraphqlOptions, 'domain' | 'live'> {
  /** The console's own operations, by their hashes; default: none. */
  consoleOperations?: GraphqlOptions['consoleOperations'];
  /** After this time no further document is started, in ms. Default 3,000. */
  limitMs?: number;
}

/** After the second time a document is validated in nearly its final time. */
const times = 2;
const answerMs = 5_000;

/**
 * Validates representative documents, and executes those that only read, before the first request comes. What a process
 * does for the first time is slow: on a busy machine its first document would not be validated within the time limit.
 * Resolves to how many documents there were. It never throws: a process that stays cold can serve.
 */
export async function warmUp({ domain, live, consoleOperations, limitMs = 3_000 }: WarmUpOptions): Promise<number> {
  const since = performance.now();
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const handle = serveGraphql({ domain, live, log, openSchema: true, countError: ignore });
  const operations = [...(consoleOperations?.().values() ?? [])].map((query) => ({ query }));
  const documents: WarmUpDocument[] = [...graphiqlExamples(Date.now()), ...operations];
  let done = 0;
  for (const { query, variables } of documents) {
    if (performance.now() - since > limitMs) break;
    const document = validated(query);
    // Signals and health checks get their turn.
    await setImmediate();
    if (document && isQuery(document)) {
      const signal = AbortSignal.timeout(answerMs);
      const facts = { requestId: 'warm-up', operator: seesNothing, operatorNow: async () => seesNothing };
      await handle({ body: JSON.stringify({ query, variables }), accept: undefined, signal, facts }).catch(ignore);
    }
    done += 1;
  }
  return done;
}

/** Without a time limit: these documents are ours. Null for one that does not fit the schema. */
function validated(query: string): DocumentNode | null {
  try {
    const document = parse(query);
    for (let time = 0; time < times; time += 1) if (validate(schema, document).length > 0) return null;
    return document;
  } catch {
    return null;
  }
}

function isQuery(document: DocumentNode): boolean {
  return getOperationAST(document)?.operation === 'query';
}

/** May ask for everything, and is restricted to no merchant, so that answers are empty. */
const seesNothing: OperatorContext = {
  operatorId: 'warm-up',
  roles: ['viewer', 'support', 'operator', 'finance', 'admin'],
  tokenId: null,
  countries: [],
  merchantIds: [],
  signIn: 'token',
};

const ignore = (): void => undefined;
