import { expect, test, vi } from 'vitest';
import { readSession, session } from './session.ts';

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
