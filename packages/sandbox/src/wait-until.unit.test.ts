import { expect, test } from 'vitest';
import { waitUntil } from './wait-until.ts';

test('the error after the time-out says what the last check saw', async () => {
  const answers = ['connection refused', 'HTTP 503'];
  let seen = '';
  const look = async (): Promise<boolean> => {
    seen = answers.shift() ?? seen;
    return false;
  };
  const waiting = waitUntil('api is ready', look, { timeoutMs: 20, everyMs: 5, lastSeen: () => seen });
  await expect(waiting).rejects.toThrow('api is ready: not after 0.02 s (HTTP 503)');
});

test('a reason to give up ends the wait at once', async () => {
  const options = { timeoutMs: 60_000, givenUp: () => 'it ended with 1' };
  await expect(waitUntil('api is ready', async () => false, options)).rejects.toThrow('api is ready: it ended with 1');
});
