import type { MerchantProfile } from '@tidegate/domain';
import { expect, test } from 'vitest';
import { aBody, aProfile, ask, createPath, signedPost, startFixture } from '../test/rest-fixture.ts';

test.each<[what: string, change: Partial<MerchantProfile>, code: number]>([
  ['a merchant that is disabled', { status: 'disabled' }, 40301],
  ['a key that is retired', { keys: [] }, 40101],
  ['an address that is removed from the list', { ipAllowList: ['192.0.2.0/24'] }, 40302],
  ['a limit that is lowered', { requestsPerSecond: 7 }, 0],
])('a change during a request takes effect on that request: %s', async (_, change, code) => {
  const before = aProfile();
  const after = { ...before, ...change };
  let looks = 0;
  // The merchant's profile before the request, and after its admission.
  const merchant = async () => [before, after][looks++] ?? after;
  const own = await startFixture({ domain: { merchant } });
  const answer = await ask(`${own.url}${createPath}`, await signedPost(before.merchantId, aBody()));
  expect(answer.code).toBe(code);
  await own.close();
});
