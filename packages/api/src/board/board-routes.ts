import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { Log } from '@tidegate/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findOperator, type OperatorLookup } from '../context.ts';
import { guardBoard, isFromOurPage, mayManage, mayWatch } from './guard-board.ts';
import type { BoardQueues } from './open-board-queues.ts';
import { maxToken, openSessions } from './session.ts';
import { signInPage } from './sign-in-page.ts';

export interface BoardOptions {
  /** Finds operators by their tokens. */
  lookup: Omit<OperatorLookup, 'live'>;
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
export function addBoard(server: FastifyInstance, { lookup, board, secure, log }: BoardOptions): void {
  const sessions = openSessions(lookup.domain.vault, secure);
  // Bull Board would show the message of any error.
  const lookUp = (token: string) =>
    findOperator(lookup, token).catch((error: unknown) => {
      log.error({ err: error }, 'an operator of the board cannot be looked up');
      throw Object.assign(new Error('operators cannot be looked up now: try again'), { statusCode: 503 });
    });
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
        const operator = await lookUp(token.trim());
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
        await pages.register(async (scope) => {
          scope.addHook('onRequest', guard);
          // Bull Board's page loads fonts from another host, which the policy forbids.
          scope.addHook('onSend', async (_request, reply, payload) =>
            isPage(reply) ? String(payload).replace(/<link href="https:[^>]*>/g, '') : payload,
          );
          await scope.register(boardOf(board, manages), { prefix: pathOf(manages) });
        });
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

const isPage = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('text/html');

function boardOf({ queues }: BoardQueues, manages: boolean) {
  const serverAdapter = new FastifyAdapter();
  serverAdapter.setBasePath(`/board${pathOf(manages)}`);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: !manages })),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: manages ? 'Tidegate queues' : 'Tidegate queues, to look at',
        miscLinks: [{ text: 'Sign out', url: '/board/sign-out' }],
      },
    },
  });
  return serverAdapter.registerPlugin();
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
