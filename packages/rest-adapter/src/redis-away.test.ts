import { createTestRedis } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BreakableLink, linkTo } from '../test/breakable-link.ts';
import { aBody, ask, createPath, type Fixture, signedPost, startFixture } from '../test/rest-fixture.ts';

let link: BreakableLink;
let fixture: Fixture;
beforeAll(async () => {
  link = await linkTo((await createTestRedis()).url);
  fixture = await startFixture({ redisUrl: link.url });
});
afterAll(async () => {
  await fixture.close();
  await link.close();
});

const create = async () => ask(`${fixture.url}${createPath}`, await signedPost(fixture.merchant().merchantId, aBody()));

test.each(['cut', 'stall'] as const)(
  'while Redis is unavailable (%s) requests are refused within a second; requests succeed again when it is back',
  async (breaks) => {
    expect((await create()).code).toBe(0);
    link[breaks]();
    const started = performance.now();
    const refused = await create();
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(refused).toMatchObject({ code: 50300, msg: 'service unavailable', data: null });
    expect(refused.response.status).toBe(503);
    for (let i = 0; i < 5; i++) expect((await create()).code).toBe(50300);
    // Once per outage, also if a second one follows soon.
    const outageLines = fixture.logged.filter((line) => line.includes('Redis does not answer'));
    expect([1, 2]).toContain(outageLines.length);
    expect(Number(refused.response.headers.get('retry-after'))).toBeGreaterThan(0);

    const ready = await ask(`${fixture.url}/readyz`);
    expect([ready.response.status, ready.msg]).toEqual([503, 'service unavailable: redis']);
    expect((await fixture.metrics.read()).text).toMatch(/tidegate_redis_failures_total [1-9]/);

    link.repair();
    await vi.waitFor(async () => expect((await create()).code).toBe(0), { timeout: 10_000 });
    expect((await ask(`${fixture.url}/readyz`)).code).toBe(0);
  },
);
