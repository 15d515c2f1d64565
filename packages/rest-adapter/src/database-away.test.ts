import { createPrivateKey } from 'node:crypto';
import { aMerchant, openTestDomain, type TestDomain } from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BreakableLink, linkTo } from '../test/breakable-link.ts';
import {
  aBody,
  ask,
  createPath,
  type Fixture,
  queryPath,
  signedGet,
  signedPost,
  startFixture,
} from '../test/rest-fixture.ts';
import { restDomainOf } from './request/rest-domain.ts';

const TIMEOUT_MS = 1_000;

let link: BreakableLink;
let ledger: TestDomain;
let fixture: Fixture;
beforeAll(async () => {
  link = await linkTo((await createTestDatabase()).url);
  ledger = await openTestDomain(link.url, { timeoutMs: TIMEOUT_MS });
  fixture = await startFixture({ domain: restDomainOf(ledger.domain) });
});
afterAll(async () => {
  await fixture.close();
  await ledger.close();
  await link.close();
});

test.each(['cut', 'stall'] as const)(
  'while the database is unavailable (%s) every request is refused within about a second; requests succeed again when it is back',
  async (breaks) => {
    const { merchantId, privateKeyPem } = await aMerchant(ledger.domain, 'CN');
    const key = createPrivateKey(privateKeyPem);
    let count = 0;
    const create = async () => {
      count += 1;
      const body = aBody({ merchantOrderNo: `${breaks}-${count}` });
      return ask(`${fixture.url}${createPath}`, await signedPost(merchantId, body, { key }));
    };
    const query = async () => {
      const text = `merchantOrderNo=${breaks}-1`;
      return ask(`${fixture.url}${queryPath}?${text}`, await signedGet(merchantId, text, { key }));
    };
    const timed = async (request: () => ReturnType<typeof ask>) => {
      const started = performance.now();
      const { code, response } = await request();
      return { code, retryAfter: response.headers.get('retry-after'), ms: performance.now() - started };
    };
    expect((await create()).code).toBe(0);
    link[breaks]();
    // Three at once, three queued behind them, then one after the other when the outage is known.
    const first = [create, create, query].map(timed);
    await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS / 5));
    const behind = [create, create, query].map(timed);
    const refused = [...(await Promise.all([...first, ...behind])), await timed(create), await timed(query)];
    expect(refused.map(({ code, retryAfter }) => [code, retryAfter])).toEqual(refused.map(() => [50300, '1']));
    expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(1_700);

    link.repair();
    await vi.waitFor(async () => expect((await create()).code).toBe(0), { timeout: 10_000 });
    await vi.waitFor(async () => expect((await query()).code).toBe(0), { timeout: 10_000 });
  },
);
