import type { Domain, Log } from '@tidegate/domain';
import { operatorOfIdentity } from '@tidegate/domain/operators';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAway } from '../graphql/report-errors.ts';
import { identityOf } from '../sign-in/oidc.ts';
import type { SignInAttempts } from '../sign-in/sign-in-attempts.ts';
import type { ConsoleOptions } from './console-options.ts';
import type { ConsoleSessions } from './console-sessions.ts';
import { AnswerRefused, type Journey, type OidcClientSettings, openOidcClient } from './oidc-client.ts';
import { openOnly, valuesOf } from './session-cookie.ts';

export interface OidcRoutes {
  domain: Domain;
  sessions: ConsoleSessions;
  attempts: SignInAttempts;
  options: Pick<ConsoleOptions, 'secure'>;
  provider: OidcClientSettings;
  /** Public URL of the console. */
  origin: string;
  log: Log;
}

/** The reasons of a failed sign-in, as in the URL of the sign-in page. */
type Problem = AnswerRefused['problem'] | 'outdated' | 'no-access' | 'unavailable';

const mount = '/console';
const path = '/sign-in/oidc';
/** The time limit for the sign-in at the provider. */
const journeyMs = 10 * 60_000;
const maxReturn = 1_500;

/** `/sign-in/oidc` leads to the identity provider, `/sign-in/oidc/callback` back from it, into a session or to the sign-in page. */
export function addOidcRoutes(pages: FastifyInstance, routes: OidcRoutes): void {
  const { domain, sessions, attempts, options, provider, log } = routes;
  const client = openOidcClient(provider, `${routes.origin}/console${path}/callback`);
  const cookie = openJourneyCookie(domain.vault, options.secure);
  const fail = (request: FastifyRequest, reply: FastifyReply, problem: Problem, returnTo: string, error?: unknown) => {
    const { code, message } = ((error as Error)?.cause ?? error ?? {}) as { code?: unknown; message?: unknown };
    log.warn({ requestId: request.id, problem, code, message }, 'a sign-in through the identity provider failed');
    // The console's own addresses begin below `/console`.
    const query = new URLSearchParams({
      problem,
      ...(returnTo !== home && { returnTo: returnTo.slice(mount.length) }),
    });
    return reply.header('Set-Cookie', cookie.end).redirect(`/console/sign-in?${query}`, 303);
  };

  pages.get<{ Querystring: { returnTo?: unknown; another?: unknown } }>(path, async (request, reply) => {
    const returnTo = returnOf(request.query.returnTo);
    try {
      const { url, journey } = await client.begin({ another: request.query.another === '1' });
      return reply.header('Set-Cookie', cookie.set({ ...journey, returnTo })).redirect(url, 303);
    } catch (error) {
      if (!isAway(error)) throw error;
      return fail(request, reply, 'unavailable', returnTo, error);
    }
  });

  pages.get(`${path}/callback`, async (request, reply) => {
    const journey = cookie.read(request);
    const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?') + 1) : '';
    // A callback that this browser did not begin sends no request to the provider.
    if (journey === null || new URLSearchParams(query).get('state') !== journey.state)
      return fail(request, reply, 'outdated', journey?.returnTo ?? home);
    const { returnTo } = journey;
    const attempt = await attempts.begin(request);
    let begun: string | null = null;
    try {
      const identity = identityOf(await client.finish(query, journey), provider);
      const operator = identity && (await operatorOfIdentity(domain, identity));
      if (operator) {
        await sessions.namedIn(request)?.signOut();
        begun = await sessions.begin(operator, 'identity');
      }
      if (operator === null || begun === null) return fail(request, reply, 'no-access', returnTo);
      log.info({ requestId: request.id, operatorId: operator.operatorId }, 'an operator signed in to the console');
      return reply.header('Set-Cookie', [begun, cookie.end]).redirect(returnTo, 303);
    } catch (error) {
      if (error instanceof AnswerRefused) return fail(request, reply, error.problem, returnTo, error);
      if (isAway(error)) return fail(request, reply, 'unavailable', returnTo, error);
      throw error;
    } finally {
      if (begun === null) attempt.failed();
      else attempt.succeeded();
    }
  });
}

interface KeptJourney extends Journey {
  returnTo: string;
}

/**
 * The browser comes back from another site, so this cookie is sent with such a navigation. It does not sign in by
 * itself.
 */
function openJourneyCookie(vault: Domain['vault'], secure: boolean) {
  const name = `${secure ? '__Host-' : ''}tidegate-console-oidc`;
  const cookie = (value: string, ms: number): string =>
    `${name}=${value}; Path=/; Max-Age=${ms / 1_000}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    set: (journey: KeptJourney): string => {
      const sealed = vault.seal('oidcJourney', '', JSON.stringify({ ...journey, until: Date.now() + journeyMs }));
      return cookie(sealed.toString('base64url'), journeyMs);
    },
    end: cookie('', 0),
    read: ({ headers }: FastifyRequest): KeptJourney | null => {
      const text = openOnly(vault, 'oidcJourney', valuesOf(name, headers.cookie));
      if (text === null) return null;
      const { until, ...journey } = JSON.parse(text) as KeptJourney & { until: number };
      return until > Date.now() ? journey : null;
    },
  };
}

const home = `${mount}/`;

/**
 * The path to return to. A path outside the console becomes its first page, so that no redirect leads to another site.
 */
function returnOf(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.length > maxReturn || !wanted.startsWith('/')) return home;
  const here = 'http://console.invalid';
  if (!URL.canParse(wanted, here)) return home;
  const { origin, pathname, search, hash } = new URL(wanted, here);
  return origin === here && /^\/console(\/|$)/.test(pathname) ? `${pathname}${search}${hash}` : home;
}
