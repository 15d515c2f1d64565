import { expect, test, vi } from 'vitest';
import { readSession, SessionProblem, session, signIn } from './session.ts';

const methods = { token: true, oidc: false, sandboxRoles: [] };

test('an outdated answer about the session does not sign the operator out', async () => {
  const answers: ((response: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => answers.push(resolve)));
  try {
    const [first, second] = [readSession(), readSession()];
    answers[1]?.(Response.json({ signedIn: true, methods }));
    await second;
    answers[0]?.(Response.json({ signedIn: false, methods }));
    await first;
    expect(session.get()).toMatchObject({ signedIn: true });
  } finally {
    vi.unstubAllGlobals();
    session.set(null);
  }
});

/** Answers requests one after the other with these: a response, or a lost connection. Resolves to how many were sent. */
async function whileAnswering(answers: (() => Response)[], work: () => Promise<unknown>): Promise<number> {
  let sent = 0;
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('fetch', async () => {
    sent += 1;
    const answer = answers[sent - 1];
    if (!answer) throw new TypeError('network error');
    return answer();
  });
  vi.useFakeTimers();
  try {
    const done = work();
    done.catch(() => undefined);
    await vi.runAllTimersAsync();
    await done;
  } finally {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    session.set(null);
  }
  return sent;
}

const busy = () => new Response('busy', { status: 503 });
const lost = () => {
  throw new TypeError('connection closed');
};
const began = () => new Response(null, { status: 204 });
const signedIn = () => Response.json({ signedIn: true, methods });

test('a sign-in goes on if the service is busy or the connection closes, before or after the session begins', async () => {
  const sign = async () => expect(await signIn({ sandboxRole: 'admin' })).toMatchObject({ signedIn: true });
  expect(await whileAnswering([busy, began, signedIn], sign)).toBe(3);
  expect(await whileAnswering([lost, began, lost, busy, signedIn], sign)).toBe(5);
});

test('a refused token is not sent again, and a service that stays away is reported after three attempts', async () => {
  const refused = () => new Response('This token is unknown.', { status: 401 });
  const problem = (text: string) => async () => {
    const sign = signIn({ token: 'tgo_x' });
    await expect(sign).rejects.toThrow(text);
    await expect(sign).rejects.toBeInstanceOf(SessionProblem);
  };
  expect(await whileAnswering([refused], problem('This token is unknown.'))).toBe(1);
  expect(await whileAnswering([busy, busy, busy], problem('busy'))).toBe(3);
  expect(await whileAnswering([lost, lost, lost], problem('cannot be reached'))).toBe(3);
});
