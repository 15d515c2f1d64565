import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { aBody, ask, createPath, type Ground, signedPost, startGround } from '../test/rest-ground.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.close());

const create = async (merchantId: string) => ask(`${ground.url}${createPath}`, await signedPost(merchantId, aBody()));

test('a burst passes, more is told when to come again, and is then let in; other merchants do not notice', async () => {
  const { merchantId } = ground.merchant({ requestsPerSecond: 2, requestBurst: 10 });
  const answers = await Promise.all(Array.from({ length: 30 }, () => create(merchantId)));
  const passed = answers.filter(({ code }) => code === 0);
  const refused = answers.filter(({ code }) => code === 42900);
  expect(passed.length + refused.length).toBe(30);
  // The steady limit begins anew each second, which may fall into the test.
  expect(passed.length).toBeGreaterThanOrEqual(10);
  expect(passed.length).toBeLessThanOrEqual(14);
  for (const { response, msg } of refused) {
    expect([response.status, msg]).toEqual([429, 'too many requests']);
    expect(response.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
  }
  expect((await create(ground.merchant().merchantId)).code).toBe(0);
  await vi.waitFor(async () => expect((await create(merchantId)).code).toBe(0), { timeout: 5_000, interval: 100 });
});

test('a burst below the steady rate does not lower it', async () => {
  const { merchantId } = ground.merchant({ requestsPerSecond: 20, requestBurst: 1 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(merchantId)));
  expect(answers.map(({ code }) => code)).toEqual(Array(20).fill(0));
});
