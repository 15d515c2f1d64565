import { pause } from '../state/pause.ts';
import { noteSlow } from '../state/slow.ts';
import { createStore } from '../state/store.ts';

/** What GET /console/session answers. */
export interface Session {
  signedIn: boolean;
  operator?: { id: string; name: string; roles: string[] };
  expiresAt?: string;
  idleExpiresAt?: string;
  methods: { token: boolean; oidc: boolean; sandboxRoles: string[] };
}

/** The header that every request of the console has. Pages of other sites cannot send it. */
export const CONSOLE_HEADER = { 'x-tidegate-console': '1' } as const;

/** The session; null until it was read once. */
export const session = createStore<Session | null>(null);

/** Why a session could not be read or begun, as a text for people. */
export class SessionProblem extends Error {}

/** The problem of a session, as a text for people. */
export function problemOfSession(error: unknown): string {
  return error instanceof SessionProblem ? error.message : 'This did not work. Reload the page and try again.';
}

/** How long each attempt of a request waits for its answer, in milliseconds. A busy service gets more time. */
const TIMEOUTS_MS = [10_000, 20_000, 30_000] as const;
/** How long it waits before the next attempt: twice as long each time. */
const WAIT_MS = 500;
/** Answers of a service, or of a proxy before it, that is too busy or restarts. */
const UNAVAILABLE = [502, 503, 504];

let reads = 0;

/** Reads the session from the API. An answer that a later read has overtaken changes nothing. */
export async function readSession(): Promise<Session> {
  reads += 1;
  const own = reads;
  const response = await send('/console/session', { method: 'GET' });
  if (!response.ok) throw new SessionProblem(`The service answered with HTTP ${response.status}. Try again.`);
  const read = (await response.json()) as Session;
  if (own === reads) {
    isOver = !read.signedIn && (isOver || session.get()?.signedIn === true);
    session.set(read);
  }
  return read;
}

/** Signs in by a token, or in the sandbox by one of its roles. */
export async function signIn(by: { token: string } | { sandboxRole: string }): Promise<Session> {
  const response = await send('/console/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(by),
  });
  if (!response.ok) throw new SessionProblem(await problemOf(response));
  return readSession();
}

let isOver = false;

/** Whether the last session ended without signing out here: it ran out, or was ended elsewhere. */
export function hasRunOut(): boolean {
  return isOver;
}

/** Ends this session, or all sessions of the operator. */
export async function signOut(everywhere = false): Promise<void> {
  const response = await send(everywhere ? '/console/sessions' : '/console/session', { method: 'DELETE' });
  if (!response.ok) throw new SessionProblem(await problemOf(response));
  leave();
  isOver = false;
}

/** Shows the sign-in page again. Called when the API no longer accepts the session. */
export function leave(): void {
  const now = session.get();
  isOver = true;
  if (now?.signedIn) session.set({ signedIn: false, methods: now.methods });
}

/**
 * Sends a request until it is answered, at most three times. All of them may be repeated: a session that was begun twice only leaves an
 * unused one.
 */
function send(path: string, init: RequestInit): Promise<Response> {
  return noteSlow(attempts(path, init));
}

async function attempts(path: string, { headers, ...init }: RequestInit): Promise<Response> {
  const request = { ...init, headers: { ...CONSOLE_HEADER, ...headers } };
  let answer: Response | null = null;
  for (const [attempt, timeoutMs] of TIMEOUTS_MS.entries()) {
    if (attempt > 0) await pause(WAIT_MS * 2 ** attempt, null);
    answer = await fetch(path, { ...request, signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
    if (answer && !UNAVAILABLE.includes(answer.status)) return answer;
  }
  if (answer) return answer;
  throw new SessionProblem('The service cannot be reached. Check your network and try again.');
}

/** The message of an answer: a JSON problem or GraphQL error, or plain text. */
async function problemOf(response: Response): Promise<string> {
  const text = (await response.text()).slice(0, 500);
  try {
    const body = JSON.parse(text) as {
      message?: string;
      detail?: string;
      title?: string;
      errors?: { message: string }[];
    };
    return body.errors?.[0]?.message ?? body.message ?? body.detail ?? body.title ?? text;
  } catch {
    return text || `The service refused the request (${response.status}).`;
  }
}
