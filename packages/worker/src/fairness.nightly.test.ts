import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NotificationFixture, openNotificationFixture } from '../test/notification-fixture.ts';

// Decisions 7.6, measured with a real worker: the effect of one merchant's hanging endpoint on another merchant.

let fixture: NotificationFixture;
beforeAll(async () => {
  fixture = await openNotificationFixture({ scale: 1 });
  await fixture.startWorker();
});
afterAll(() => fixture.close());

const rounds = 5;
/** Other load on the machine may spoil one pair of measurements, but hardly three. */
const pairs = 3;
const p99 = (ascending: number[]): number => ascending[Math.ceil(ascending.length * 0.99) - 1] ?? Number.NaN;
const middle = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const inMs = (values: number[]): string => values.map((ms) => ms.toFixed(0)).join(', ');

/** The 99th percentile of 200 notifications, from due to delivered, in several rounds. */
async function measure(merchantId: string, url: string, afterEach: () => void = () => undefined): Promise<number[]> {
  const measured: number[] = [];
  for (let n = 0; n < rounds; n++) {
    measured.push(p99(await fixture.latencies(await fixture.burst(merchantId, url, 200), 60_000)));
    afterEach();
  }
  return measured;
}

/** How much longer 200 notifications take next to 500 of a merchant whose endpoint hangs. */
async function ratioOfPair(merchantId: string, url: string): Promise<number> {
  const hanging = await fixture.serve((_, response) => {
    const timer = setTimeout(() => response.end('OK'), 10_000);
    response.on('close', () => clearTimeout(timer));
  });
  const alone = await measure(merchantId, url);
  // The first round comes right after the 500, all others while these wait.
  await fixture.burst(await fixture.aMerchant(), hanging.url, 500);
  const began = performance.now();
  const joined = await measure(merchantId, url, () => {
    // Until the first of them time out. Then the next attempt may start before the end of the last is seen.
    if (performance.now() - began < 9_000) expect(hanging.most).toBe(8);
  });
  const ratio = middle(joined) / middle(alone);
  console.log(`p99 of 200, from due to delivered: alone ${inMs(alone)} ms; next to 500 that hang ${inMs(joined)} ms`);
  console.log(`ratio of the medians ${ratio.toFixed(2)}, while ${hanging.seen.length} requests hung`);
  expect(hanging.seen.length).toBeGreaterThanOrEqual(8);
  return ratio;
}

test('500 notifications to an endpoint that hangs for 10 s do not slow down 200 notifications of another merchant', {
  timeout: 240_000,
}, async () => {
  const quick = await fixture.serve((_, response) => void response.end('OK'));
  const merchantId = await fixture.aMerchant();
  await measure(merchantId, quick.url);
  const ratios: number[] = [];
  while (ratios.length < pairs && !ratios.some((ratio) => ratio < 2))
    ratios.push(await ratioOfPair(merchantId, quick.url));
  expect(Math.min(...ratios), `ratios ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`).toBeLessThan(2);
});
