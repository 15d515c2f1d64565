import { expect } from 'vitest';
import { onceEach, signInWhile } from '../console/sign-in-while.ts';
import { useConsole, withBrowser } from '../console/use-console.ts';

// Signing in to a service that is busy: whichever request gets no answer, the console goes on by itself.

const sandbox = useConsole({ merchants: [] });

withBrowser.for(['answers 503', 'closes the connection'] as const)(
  'the console signs in by itself if the service %s once, whichever request it is',
  async (fault, context) => {
    const failing = [...onceEach, 'so many looks at the session that it is reported'] as const;
    const failed = await Promise.all(failing.map((request) => signInWhile(context, sandbox, [request], fault)));
    expect(failed).toEqual([1, 1, 1, 1, 4]);
  },
);

withBrowser('the console signs in by itself if the service never answers a request', async (context) => {
  const hanging = (['the request that begins the session', 'the question who is signed in'] as const).map((request) =>
    signInWhile(context, sandbox, [request], 'never answers'),
  );
  const refused = signInWhile(context, sandbox, ['the question who is signed in'], 'answers that it is not available');
  expect(await Promise.all([...hanging, refused])).toEqual([1, 1, 1]);
});
