import { expect, test } from 'vitest';
import { waitUntil } from './wait-until.ts';

test('the error after the time-out says what the last check saw', async () => {
  let checks = 0;
  const look = async (): Promise<boolean> => {
    checks += 1;
    return false;
  };
  const waiting = waitUntil('api is ready', look, { timeoutMs: 20, everyMs: 5, lastSeen: () => `check ${checks}` });
  await expect(waiting).rejects.toThrow(/^api is ready: not after 0.02 s \(check \d+\)$/);
});

test('a reason to give up ends the wait at once', async () => {
  const options = { timeoutMs: 60_000, givenUp: () => 'it ended with 1' };
  await expect(waitUntil('api is ready', async () => false, options)).rejects.toThrow('api is ready: it ended with 1');
});
