import type { Domain, Log } from '@tidegate/domain';
import { sendStaticFile } from '@tidegate/process';
import type { FastifyError, FastifyInstance } from 'fastify';
import { httpError } from '../graphql/answer-errors.ts';
import type { SignInAttempts } from '../sign-in/sign-in-attempts.ts';
import { hashedFolder } from './console-files.ts';
import { consoleHeaders } from './console-headers.ts';
import type { ConsoleOptions } from './console-options.ts';
import type { ConsoleSessions } from './console-sessions.ts';
import { addOidcRoutes } from './oidc-routes.ts';
import { addSessionRoutes, explain } from './session-routes.ts';

export interface ConsoleRoutes {
  domain: Domain;
  sessions: ConsoleSessions;
  attempts: SignInAttempts;
  options: ConsoleOptions;
  log: Log;
}

const notBuilt = 'The console is not built. Run: npx --yes pnpm --filter @tidegate/console run build';

/** The operators' console at `/console`: its sessions, its files, and its page for every other path. */
export function addConsole(server: FastifyInstance, { domain, sessions, attempts, options, log }: ConsoleRoutes): void {
  const { files } = options;
  void server.register(
    async (pages) => {
      takeJson(pages);
      explainErrors(pages, log);
      pages.addHook('onRequest', async (_request, reply) => {
        reply.headers(consoleHeaders);
      });
      const { provider, origin } = options;
      const common = { domain, sessions, attempts, options, log };
      addSessionRoutes(pages, { ...common, hasOidc: provider !== null });
      if (provider !== null && origin !== null) addOidcRoutes(pages, { ...common, provider, origin });
      const page = () => files.page();
      pages.get('/', async (request, reply) => {
        const found = page();
        return found ? sendStaticFile(request, reply, found) : explain(reply, 404, notBuilt);
      });
      pages.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
        const path = request.params['*'];
        const file = files.file(path);
        if (file) return sendStaticFile(request, reply, file);
        // A script of an earlier build must not be answered with a page.
        if (path.startsWith(hashedFolder)) return explain(reply, 404, 'There is no such file in this build.');
        const found = page();
        return found ? sendStaticFile(request, reply, found) : explain(reply, 404, notBuilt);
      });
    },
    { prefix: '/console' },
  );
}

/** Errors below `/console` are answered with a sentence too. */
function explainErrors(pages: FastifyInstance, log: Log): void {
  pages.setErrorHandler<FastifyError>((error, request, reply) => {
    const { status, sentence } = httpError(error);
    if (status >= 500) log.error({ requestId: request.id, err: error }, 'a request of the console failed');
    if (status === 503) reply.header('Retry-After', '1');
    return explain(reply, status, sentence);
  });
}

/** Accepts only JSON, because a form of another site cannot send JSON. */
function takeJson(pages: FastifyInstance): void {
  pages.removeAllContentTypeParsers();
  pages.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch {
      done(Object.assign(new Error('the body is not JSON'), { statusCode: 400 }));
    }
  });
}
