import type { Log } from '@tidegate/domain';
import type { OperatorContext } from '@tidegate/domain/operators';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answer } from '../graphql/answer-errors.ts';
import { findOperator, type OperatorLookup } from '../graphql/context.ts';
import type { SignInAttempts } from '../sign-in/sign-in-attempts.ts';
import { guardBoard, isFromOurPage, mayManage, mayWatch } from './guard-board.ts';
import type { BoardQueues } from './open-board-queues.ts';
import { maxToken, openSessions } from './session.ts';
import { signInPage } from './sign-in-page.ts';

export interface BoardOptions {
  /** Finds operators by their tokens. */
  lookup: Omit<OperatorLookup, 'live'>;
  attempts: SignInAttempts;
  board: BoardQueues;
  /** Whether browsers connect by TLS. Then the session's cookie is sent over TLS only. */
  secure: boolean;
  log: Log;
}

/**
 * Bull Board, for operators only. `/board/sign-in` takes a token and sets a session cookie. `/board/watch` shows the
 * queues to operators without a restriction. `/board/manage` lets admins change them. No work is lost by a change of a
 * queue, because the schedule is in the database.
 */
export function addBoard(server: FastifyInstance, { lookup, attempts, board, secure, log }: BoardOptions): void {
  const sessions = openSessions(lookup.domain.vault, secure);
  const lookUp = (token: string) =>
    findOperator(lookup, token).catch((error: unknown) => {
      log.error({ err: error }, 'an operator of the board cannot be looked up');
      throw Object.assign(new Error('operators cannot be looked up now: try again'), { statusCode: 503 });
    });
  const signIn = async (request: FastifyRequest, token: string) => {
    const attempt = await attempts.begin(request);
    let operator: OperatorContext | null = null;
    try {
      operator = await lookUp(token);
    } finally {
      if (operator) attempt.succeeded();
      else attempt.failed();
    }
    return operator;
  };
  const operatorOf = async ({ headers }: FastifyRequest) => {
    const token = sessions.tokenIn(headers.cookie);
    return token === null ? null : lookUp(token);
  };
  void server.register(
    async (pages) => {
      parseForms(pages);
      pages.addHook('onRequest', async (_request, reply) => {
        reply.header('Content-Security-Policy', policy);
      });
      pages.get('/', async (request, reply) => {
        const operator = await operatorOf(request);
        return reply.redirect(mayWatch(operator) ? homeOf(mayManage(operator)) : '/board/sign-in', 303);
      });
      pages.get('/sign-in', (_request, reply) => showSignIn(reply, 200, null));
      pages.post<{ Body: { token?: unknown } }>('/sign-in', { bodyLimit: 16 * 1024 }, async (request, reply) => {
        if (!isFromOurPage(request)) return showSignIn(reply, 403, 'Sign in on this page.');
        const { token } = request.body ?? {};
        if (typeof token !== 'string' || token.length > maxToken)
          return showSignIn(reply, 400, `A token is needed, of ${maxToken} characters at most.`);
        const operator = await signIn(request, token.trim());
        if (operator === null) return showSignIn(reply, 403, 'This token is unknown, expired or revoked.');
        if (!mayWatch(operator))
          return showSignIn(reply, 403, "Queues are the whole platform's, and you are restricted to a part of it.");
        log.info({ requestId: request.id, operatorId: operator.operatorId }, 'an operator has signed in to the board');
        return reply.header('Set-Cookie', sessions.begin(token.trim())).redirect(homeOf(mayManage(operator)), 303);
      });
      pages.get('/sign-out', (_request, reply) =>
        reply.header('Set-Cookie', sessions.end).redirect('/board/sign-in', 303),
      );
      for (const manages of [false, true]) {
        const guard = guardBoard({ manages, operatorOf, isReady: board.isReady, log });
        await pages.register(
          async (scope) => {
            scope.addHook('onRequest', guard);
            const answerAll = answerByBullBoard(board, manages, log);
            for (const path of ['/', '/*']) scope.all(path, answerAll);
          },
          { prefix: pathOf(manages) },
        );
      }
    },
    { prefix: '/board' },
  );
}

/** The board's scripts add inline styles. Everything else is loaded from this server. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'self'; form-action 'self'";

const pathOf = (manages: boolean) => (manages ? '/manage' : '/watch');
const homeOf = (manages: boolean) => `/board${pathOf(manages)}/`;

function showSignIn(reply: FastifyReply, status: number, problem: string | null): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(signInPage(problem));
}

/** The headers of a request that Bull Board reads. It gets no cookie. */
const passedOn = new Set(['accept', 'content-type', 'if-modified-since', 'if-none-match', 'if-range', 'range']);
/** The headers of an answer that are about the connection. */
const ofConnection = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

/** Answers by Bull Board, which is loaded at the first request: it brings a BullMQ of its own, which most processes never need. */
function answerByBullBoard(board: BoardQueues, manages: boolean, log: Log) {
  let opened: Promise<FastifyInstance> | undefined;
  const open = async () => {
    const { openBoardPages } = await import('./board-pages.ts');
    return openBoardPages(board, { basePath: `/board${pathOf(manages)}`, manages });
  };
  // After a failure the next request tries again.
  const pages = (): Promise<FastifyInstance> => {
    opened ??= open().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { statusCode, headers, rawPayload } = await (await pages()).inject({
      method: request.method as 'GET',
      url: request.url,
      headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => passedOn.has(name))),
      ...(request.body ? { payload: request.body as object } : {}),
    });
    // Bull Board answers the message of the library that failed, such as that of Redis.
    if (statusCode >= 500) {
      log.error({ requestId: request.id, answer: String(rawPayload).slice(0, 2_000) }, 'the board failed');
      return answer(reply, request, statusCode);
    }
    if (statusCode === 404 && rawPayload.length === 0) {
      reply.callNotFound();
      return reply;
    }
    for (const [name, value] of Object.entries(headers)) if (!ofConnection.has(name)) reply.header(name, value);
    // Bull Board's page loads fonts from another host, which the policy forbids.
    const isPage = String(headers['content-type']).startsWith('text/html');
    return reply
      .code(statusCode)
      .send(isPage ? String(rawPayload).replace(/<link href="https:[^<>]*>/g, '') : rawPayload);
  };
}

/** Parses the sign-in form, and the board's JSON, which may be empty. */
function parseForms(pages: FastifyInstance): void {
  pages.removeAllContentTypeParsers();
  pages.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  pages.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? {} : JSON.parse(String(body)));
    } catch {
      done(Object.assign(new Error('not JSON'), { statusCode: 400 }));
    }
  });
}
