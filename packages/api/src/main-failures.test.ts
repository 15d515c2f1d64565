import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, apiProcesses, ownEnvironment } from '../test/api-process.ts';

let environment: Record<string, string>;
const { start, killAll } = apiProcesses();
beforeAll(async () => {
  environment = await ownEnvironment();
});
afterAll(killAll);

test('the API process shuts down even if its log is not read any more', async () => {
  const api = start({ ...environment, TIDEGATE_ENV: 'sandbox' });
  await addressOf(api);
  api.child.stdout.destroy();
  api.child.kill('SIGTERM');
  expect(await api.ended).toBe(0);
});

test('all problems of the environment variables are reported together, and the process does not start', async () => {
  const { ended, errors } = start({ ...environment, PORT: 'none', TIDEGATE_KEYS: '' });
  expect(await ended).toBe(1);
  expect(await errors).toMatch(/PORT has to be a port number\n\s*TIDEGATE_KEYS is missing/);
});
