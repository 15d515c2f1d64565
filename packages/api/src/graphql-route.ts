import type { FastifyInstance, FastifyReply } from 'fastify';
import { answer } from './answer-errors.ts';
import { renderGraphiqlPage } from './graphiql.ts';
import { sendEvents } from './live/send-events.ts';
import type { GraphqlHandler } from './serve-graphql.ts';

export interface AnswerLimits {
  /** For an execution, or the first of a stream. Default 30 s. */
  executionMs?: number;
  /** For a stream that its client does not take; what keeps it alive comes every 12 s. Default 40 s. */
  silentMs?: number;
}

/** `POST /graphql`: JSON in, JSON or a stream of events out; in the sandbox GraphiQL at `GET /graphql`. */
export function addGraphqlRoute(
  server: FastifyInstance,
  handle: GraphqlHandler,
  { withGraphiql, executionMs = 30_000, silentMs = 40_000 }: AnswerLimits & { withGraphiql: boolean },
): void {
  // JSON alone: a form of another site can send no such request without asking first, and gets no leave.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.post('/graphql', { handlerTimeout: executionMs }, async (request, reply) => {
    const { body } = request;
    if (typeof body !== 'string') return answer(reply, request, 415);
    const { accept, authorization } = request.headers;
    const ending = endingOf(reply, executionMs);
    const response = await handle({
      body,
      accept,
      signal: ending.signal,
      facts: { requestId: request.id, authorization },
    });
    ending.answered();
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream && response.body) return sendEvents(reply, response, response.body, silentMs);
    // No others: what yoga thinks is allowed, say, is not what this server allows.
    for (const name of ['content-type', 'retry-after']) {
      const value = response.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    reply.code(response.status);
    return reply.send(await response.text());
  });
  server.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/graphql',
    handler: async (request, reply) => {
      const isBrowser = request.method === 'GET' && request.headers.accept?.includes('text/html');
      if (withGraphiql && isBrowser) return reply.type('text/html; charset=utf-8').send(await renderGraphiqlPage());
      return answer(reply.header('Allow', 'POST'), request, 405);
    },
  });
}

/** Ends an execution whose answer nobody waits for any more, or that takes longer than any may. A stream that began goes on. */
function endingOf(reply: FastifyReply, executionMs: number): { signal: AbortSignal; answered(): void } {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), executionMs);
  reply.raw.once('close', () => {
    clearTimeout(timer);
    ending.abort();
  });
  return { signal: ending.signal, answered: () => clearTimeout(timer) };
}
