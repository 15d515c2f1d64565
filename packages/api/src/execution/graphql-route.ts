import { type FairSlots, openFairSlots } from '@tidegate/domain/sharing';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Authenticate } from '../console/authenticate.ts';
import { errorBody, tooManyWait } from '../errors/errors.ts';
import { answer } from '../graphql/answer-errors.ts';
import type { InTurn } from '../graphql/context.ts';
import { isDirectFromThisMachine } from '../sign-in/is-direct-from-this-machine.ts';
import { type GraphiqlTokens, graphiqlPolicy, renderGraphiqlPage } from './graphiql.ts';
import { sendEvents } from './send-events.ts';
import type { GraphqlHandler } from './serve-graphql.ts';

/** How many requests this process executes at once, and how long one waits for its turn, in ms. */
const requestsAtOnce = 64;
const maxWaitMs = 10_000;

export interface AnswerLimits {
  /** Limit of an execution, or of the time to the first event of a stream. Default 30 s. */
  executionMs?: number;
  /** Limit for a stream whose client does not read. A keep-alive comment is sent every 12 s. Default 40 s. */
  silentMs?: number;
}

export interface RouteOptions extends AnswerLimits {
  /** Whether browsers get GraphiQL. Only together with introspection. */
  withGraphiql: boolean;
  /** Tokens to fill in there; default: none. */
  graphiqlTokens?: GraphiqlTokens | undefined;
}

/** `POST /graphql`: JSON in, JSON or a stream of events out. In the sandbox also GraphiQL at `GET /graphql`. */
export function addGraphqlRoute(
  server: FastifyInstance,
  { authenticate, handle }: { authenticate: Authenticate; handle: GraphqlHandler },
  { withGraphiql, graphiqlTokens, executionMs = 30_000, silentMs = 40_000 }: RouteOptions,
): void {
  // Only JSON: a form on another site cannot send it without a preflight request, which is refused.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.decorateRequest('caller', null);
  const slots = openFairSlots({ pool: 'graphql_requests', slots: requestsAtOnce });
  server.post('/graphql', { onRequest: authenticate }, async (request, reply) => {
    const { body, caller } = request;
    if (caller === null) throw new Error('a request passed without its caller');
    if (typeof body !== 'string') return answer(reply, request, 415);
    const { accept } = request.headers;
    const response = await withinTime(reply, executionMs, async (signal) => {
      const inTurn = turnsOf(slots, caller.operator.operatorId, signal);
      const facts = { requestId: request.id, inTurn, ...caller };
      return (await inTurn(() => handle({ body, accept, signal, facts }))) ?? busy(request.id);
    });
    if (response === null) {
      const late = `not answered within ${executionMs / 1000} s: ask for less at once`;
      return reply.code(503).send(errorBody('SERVICE_UNAVAILABLE', late, request.id));
    }
    if (isStream(response) && response.body) return sendEvents(reply, response, response.body, silentMs);
    // Only these headers: yoga would add its own list of allowed methods.
    for (const name of ['content-type', 'retry-after']) {
      const value = response.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    reply.code(response.status);
    return reply.send(await response.text());
  });
  const pageWithTokens = cachedPage(graphiqlTokens ?? null);
  const pageWithout = cachedPage(null);
  server.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/graphql',
    handler: async (request, reply) => {
      const isBrowser = request.method === 'GET' && request.headers.accept?.includes('text/html');
      if (withGraphiql && isBrowser) {
        const page = isDirectFromThisMachine(request) ? pageWithTokens : pageWithout;
        const { html, policy } = await page();
        return reply.type('text/html; charset=utf-8').header('Content-Security-Policy', policy).send(html);
      }
      return answer(reply.header('Allow', 'POST'), request, 405);
    },
  });
}

/** Executes when it is the operator's turn: a request, and later each event of its stream. */
function turnsOf(slots: FairSlots, owner: string, signal: AbortSignal): InTurn {
  return async (execute) => {
    const slot = await slots.take({ owner, priority: 'create', maxWaitMs, isPatient: true, signal });
    if (!slot.ok) return null;
    try {
      await ownTurn();
      return await execute();
    } finally {
      slot.release();
    }
  };
}

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Resolves in a turn of the event loop of its own. To check an invalid document waits for nothing, so many of them at once
 * would keep other requests and health checks from being read at all.
 */
function ownTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}

function busy(requestId: string): Response {
  const headers = { 'content-type': 'application/json', 'retry-after': '1' };
  return new Response(JSON.stringify(errorBody('TOO_MANY_REQUESTS', tooManyWait, requestId)), { status: 429, headers });
}

/**
 * The result of `handle`, or null if it takes longer than the time limit or the client has disconnected. In both cases
 * its signal is aborted. A stream has no time limit: it runs until the connection is closed.
 */
async function withinTime(
  reply: FastifyReply,
  limitMs: number,
  handle: (signal: AbortSignal) => Promise<Response>,
): Promise<Response | null> {
  const ending = new AbortController();
  const ended = Promise.withResolvers<null>();
  const end = (): void => {
    ended.resolve(null);
    ending.abort();
  };
  const timer = setTimeout(end, limitMs);
  reply.raw.once('close', end);
  try {
    const response = await Promise.race([handle(ending.signal), ended.promise]);
    // A complete answer has nothing left to abort.
    if (!isStream(response)) reply.raw.off('close', end);
    return response;
  } finally {
    clearTimeout(timer);
  }
}

function isStream(response: Response | null): boolean {
  return response?.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/**
 * The page as bytes that all requests share, because it has 9 MB. It is rendered again after ten seconds, because its
 * examples contain the time.
 */
function cachedPage(tokens: GraphiqlTokens | null): () => Promise<{ html: Buffer; policy: string }> {
  let kept: { since: number; page: Promise<{ html: Buffer; policy: string }> } | null = null;
  const render = async () => {
    const html = await renderGraphiqlPage(tokens, Date.now());
    return { html: Buffer.from(html), policy: graphiqlPolicy(html) };
  };
  return () => {
    if (kept && performance.now() - kept.since < 10_000) return kept.page;
    kept = { since: performance.now(), page: render() };
    return kept.page;
  };
}
