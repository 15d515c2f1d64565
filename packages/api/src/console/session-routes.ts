import type { Domain, Log } from '@tidegate/domain';
import { hashToken, operatorOfToken } from '@tidegate/domain/operators';
import { boundedText } from '@tidegate/settings/bounded-text';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { isDirectFromThisMachine } from '../sign-in/is-direct-from-this-machine.ts';
import type { SignInAttempts } from '../sign-in/sign-in-attempts.ts';
import { problemOfPage } from './check-own-page.ts';
import { type ConsoleOptions, sandboxRoles } from './console-options.ts';
import type { ConsoleSessions } from './console-sessions.ts';

export interface SessionRoutes {
  domain: Domain;
  sessions: ConsoleSessions;
  attempts: SignInAttempts;
  options: Pick<ConsoleOptions, 'origin' | 'sandboxTokens'>;
  /** Whether operators can sign in by an identity provider. */
  hasOidc: boolean;
  log: Log;
}

const signIn = z.union([
  z.strictObject({ token: boundedText(256) }),
  z.strictObject({ sandboxRole: z.enum(sandboxRoles) }),
]);
/** The longest body: a token within JSON, in bytes. */
const bodyLimit = 1_024;

/** `/session`: who is signed in, signing in and out; `/sessions`: signing out everywhere. */
export function addSessionRoutes(pages: FastifyInstance, routes: SessionRoutes): void {
  const { domain, sessions, attempts, options, hasOidc, log } = routes;
  const requireOwnPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (request.headers.authorization !== undefined)
      return explain(reply, 400, 'Send no Authorization header here: sessions belong to the cookie.');
    const problem = problemOfPage(request, options.origin);
    return problem === null ? undefined : explain(reply, 403, `This request is refused: ${problem}.`);
  };
  const sandboxTokensFor = (request: FastifyRequest) => (isDirectFromThisMachine(request) ? options.sandboxTokens : {});
  const write = { onRequest: requireOwnPage, bodyLimit };

  pages.get('/session', async (request, reply) => {
    const session = await sessions.namedIn(request)?.find();
    if (!session && sessions.hasCookie(request)) reply.header('Set-Cookie', sessions.endCookie);
    const tokens = sandboxTokensFor(request);
    const methods = { token: true, oidc: hasOidc, sandboxRoles: sandboxRoles.filter((role) => role in tokens) };
    if (!session) return { signedIn: false, methods };
    const { operator, name, expiresAt, idleExpiresAt } = session;
    return {
      signedIn: true,
      operator: { id: operator.operatorId, name, roles: operator.roles },
      expiresAt: new Date(expiresAt).toISOString(),
      idleExpiresAt: new Date(idleExpiresAt).toISOString(),
      methods,
    };
  });

  pages.post('/session', write, async (request, reply) => {
    const body = signIn.safeParse(request.body);
    if (!body.success) return explain(reply, 400, 'Send {"token": "tgo_…"}, or {"sandboxRole": "admin"} in a sandbox.');
    const token = 'token' in body.data ? body.data.token.trim() : sandboxTokensFor(request)[body.data.sandboxRole];
    if (token === undefined) return explain(reply, 401, 'Signing in by a role is for the sandbox, on this machine.');
    const attempt = await attempts.begin(request);
    let cookie: string | null = null;
    try {
      const operator = await operatorOfToken(domain, token);
      if (operator) {
        await sessions.namedIn(request)?.signOut();
        cookie = await sessions.begin(operator, { tokenHash: hashToken(token) });
        log.info({ requestId: request.id, operatorId: operator.operatorId }, 'an operator signed in to the console');
      }
    } finally {
      if (cookie === null) attempt.failed();
      else attempt.succeeded();
    }
    if (cookie === null) return explain(reply, 401, 'This token is unknown, expired or revoked.');
    return reply.code(204).header('Set-Cookie', cookie).send();
  });

  pages.delete('/session', write, async (request, reply) => {
    await sessions.namedIn(request)?.signOut();
    return reply.code(204).header('Set-Cookie', sessions.endCookie).send();
  });

  pages.delete('/sessions', write, async (request, reply) => {
    const session = await sessions.namedIn(request)?.find();
    if (!session) return explain(reply, 401, 'You are not signed in.');
    await sessions.signOutEverywhere(session.operator.operatorId);
    return reply.code(204).header('Set-Cookie', sessions.endCookie).send();
  });
}

/** Answers with a sentence for people. */
export function explain(reply: FastifyReply, status: number, sentence: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send(sentence);
}
