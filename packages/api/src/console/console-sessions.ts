import { randomBytes } from 'node:crypto';
import type { Domain, Log } from '@tidegate/domain';
import {
  beginSession,
  endAllSessions,
  endSession,
  hashToken,
  type OperatorContext,
  openSessions,
  type Session,
  type SessionOrigin,
} from '@tidegate/domain/operators';
import type { FastifyRequest } from 'fastify';
import type { ConsoleOptions } from './console-options.ts';
import { openSessionCookie } from './session-cookie.ts';

/** A session that a request's cookie names. */
export interface NamedSession {
  /** The session as of now; null if it is no longer valid. */
  find(): Promise<Session | null>;
  /** Finds the session and extends it. */
  use(): Promise<Session | null>;
  /** Ends the session. */
  signOut(): Promise<void>;
}

/** The sessions of the console, by the cookies of requests. */
export interface ConsoleSessions {
  /** Whether a request has a session cookie, valid or not. */
  hasCookie(request: Pick<FastifyRequest, 'headers'>): boolean;
  /** The session that the cookie names; null if the cookie was not sealed by this service. */
  namedIn(request: Pick<FastifyRequest, 'headers'>): NamedSession | null;
  /**
   * Begins a session. Resolves to its `Set-Cookie` header; null if the token that begins it was revoked a moment ago.
   */
  begin(operator: OperatorContext, origin: SessionOrigin): Promise<string | null>;
  /** Ends all sessions of an operator, also in other browsers. */
  signOutEverywhere(operatorId: string): Promise<void>;
  /** The `Set-Cookie` header that removes the session from the browser. */
  endCookie: string;
}

export interface SessionSettings extends Pick<ConsoleOptions, 'secure' | 'sessionMs' | 'idleMs'> {
  domain: Domain;
  log: Log;
}

export function openConsoleSessions({ domain, log, secure, sessionMs, idleMs }: SessionSettings): ConsoleSessions {
  const cookie = openSessionCookie(domain.vault, secure);
  const onError = (err: unknown): void => log.warn({ err }, 'uses of sessions cannot be recorded');
  const sessions = openSessions(domain, { idleMs, onError });
  return {
    hasCookie: ({ headers }) => cookie.isIn(headers.cookie),
    namedIn: ({ headers }) => {
      const id = cookie.idIn(headers.cookie);
      if (id === null) return null;
      const sessionHash = hashToken(id);
      return {
        find: () => sessions.find(sessionHash),
        use: () => sessions.use(sessionHash),
        signOut: async () => {
          const session = await sessions.find(sessionHash);
          if (session) await endSession(domain, session.operator.operatorId, sessionHash);
          sessions.clearCache();
        },
      };
    },
    begin: async (operator, origin) => {
      const id = randomBytes(32).toString('base64url');
      const session = await beginSession(domain, { sessionHash: hashToken(id), operator, origin, lastsMs: sessionMs });
      return session.ok ? cookie.set(id, session.value.expiresAt - Date.now()) : null;
    },
    signOutEverywhere: async (operatorId) => {
      await endAllSessions(domain, operatorId);
      sessions.clearCache();
    },
    endCookie: cookie.end,
  };
}
