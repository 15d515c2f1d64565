import { expect } from 'vitest';
import { onceEach, signInWhile } from './sign-in-while.ts';
import { useConsole, withBrowser } from './use-console.ts';

// Signing in to a service that is busy. Each kind of failure by itself is in the nightly tests.

const sandbox = useConsole({ merchants: [] });

withBrowser('the console signs in by itself if each request of the sign-in fails once', async (context) => {
  expect(await signInWhile(context, sandbox, onceEach, 'answers 503')).toBe(onceEach.length);
});
