import type { CheckoutView } from '@tidegate/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumPath, openPage } from '../../../../tests/browser.ts';
import { aView } from '../../test/checkout-view.ts';
import { type Fixture, startFixture } from '../../test/rest-fixture.ts';
import { openLiveStatus } from './live-status.ts';

const now = 1_789_999_000_000;
const TOKEN = 'PI01aaaaaaaaaaaaaaaaaaaa';
const live = openLiveStatus();
let view: CheckoutView;
let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ domain: { findCheckout: async () => view }, clock: () => now, live });
});
afterAll(() => fixture.close());

/** Reads a stream until it has delivered this many marks, or ends. */
async function marksOf(response: Response, count: number, ready: (marks: string[]) => void = () => undefined) {
  const marks: string[] = [];
  let read = '';
  for await (const chunk of response.body ?? []) {
    read += Buffer.from(chunk).toString();
    const found = [...read.matchAll(/event: status\ndata: (\S+)\n\n/g)].map(([, mark = '']) => mark);
    if (found.length > marks.length) {
      marks.splice(0, marks.length, ...found);
      if (marks.length >= count) return marks;
      ready(marks);
    }
  }
  return marks;
}

test('a checkout page receives changes of its own order at once, and of no other order', async () => {
  view = aView();
  const response = await fetch(`${fixture.url}/checkout/${TOKEN}/events`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const marks = await marksOf(response, 2, () => {
    live.receive([{ type: 'order', merchantId: 'M', orderNo: 'PI02', status: 'completed' }]);
    view = aView({ status: 'completed' });
    live.receive([{ type: 'order', merchantId: 'M', orderNo: 'PI01', status: 'completed' }]);
  });
  const page = await (await fetch(`${fixture.url}/checkout/${TOKEN}`)).text();
  expect(page).toContain(`data-mark="${marks[1]}"`);
  expect(marks[0]).not.toBe(marks[1]);
});

test('a page shows at once what an operator decides about held money', async () => {
  const held = { status: 'cancelled', payments: [{ use: 'suspense', amount: '100.50' }] } as const;
  view = aView({ ...held, cases: [{}] });
  const response = await fetch(`${fixture.url}/checkout/${TOKEN}/events`);
  const marks = await marksOf(response, 2, () => {
    view = aView({ ...held, cases: [{ state: 'returned' }] });
    live.receive([{ type: 'case', merchantId: 'TH-1', caseNo: 1, state: 'returned', isNew: false }]);
  });
  expect(marks).toHaveLength(2);
});

test('after lost messages the order of every open page is read again', async () => {
  view = aView();
  const marks = await marksOf(await fetch(`${fixture.url}/checkout/${TOKEN}/events`), 2, () => {
    view = aView({ status: 'failed' });
    live.lost();
  });
  expect(marks).toHaveLength(2);
});

test('an order has at most eight streams, and closed ones make room', async () => {
  view = aView();
  const leave = new AbortController();
  const open = () => fetch(`${fixture.url}/checkout/${TOKEN}/events`, { signal: leave.signal });
  await expect.poll(() => live.count()).toBe(0);
  const eight = await Promise.all(Array.from({ length: 8 }, open));
  expect(eight.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const ninth = await open();
  expect([ninth.status, ninth.headers.get('retry-after')]).toEqual([503, '5']);
  leave.abort();
  await expect.poll(() => live.count()).toBe(0);
});

test('the streams of one merchant are limited so that others get streams, and its further pages work without a stream', async () => {
  const own = openLiveStatus({ maxStreams: 16 });
  const leave = new AbortController();
  // Here a token is the order's merchant and number.
  const findCheckout = async (token: string) => aView({ merchantId: token.slice(0, 2), orderNo: token });
  const crowded = await startFixture({ domain: { findCheckout }, clock: () => now, live: own });
  const token = (merchant: string, order: number): string => `${merchant}-${String(order).padStart(20, '0')}`;
  const open = async (merchant: string, order: number) => {
    const { status } = await fetch(`${crowded.url}/checkout/${token(merchant, order)}/events`, {
      signal: leave.signal,
    });
    return status;
  };
  const statuses: number[] = [];
  for (let order = 0; order < 20; order += 1) statuses.push(await open('M1', order));
  expect(statuses).toEqual([...Array(12).fill(200), ...Array(8).fill(503)]);
  // Each new merchant gets streams, whatever earlier merchants use.
  const firsts = [];
  for (const merchant of ['M2', 'M3', 'M4', 'M5']) firsts.push(await open(merchant, 1));
  expect(firsts).toEqual(Array(4).fill(200));
  const refused = token('M1', 19);
  const page = await fetch(`${crowded.url}/checkout/${refused}`);
  expect([page.status, (await page.text()).includes('data-mark=')]).toEqual([200, true]);
  leave.abort();
  await expect.poll(() => own.count()).toBe(0);
  const again = new AbortController();
  const back = await fetch(`${crowded.url}/checkout/${refused}/events`, { signal: again.signal });
  expect(back.status).toBe(200);
  again.abort();
  await crowded.close();
});

test.skipIf(chromiumPath === undefined)('a page without a stream polls every five seconds', async () => {
  view = aView({ expiresAt: now + 600_000 });
  const without = await startFixture({
    domain: { findCheckout: async () => view },
    clock: () => now,
    live: openLiveStatus({ maxStreams: 0 }),
  });
  const browser = await openPage();
  try {
    await browser.page.clock.install();
    const refused = browser.page.waitForResponse((response) => response.url().endsWith('/events'));
    await browser.page.goto(`${without.url}/checkout/${TOKEN}`);
    expect((await refused).status()).toBe(503);
    view = aView({ status: 'completed' });
    await browser.page.clock.runFor(5_500);
    await browser.page.getByRole('heading', { name: 'Paid', exact: true }).waitFor({ timeout: 5_000 });
  } finally {
    await browser.close();
    await without.close();
  }
});

test('streams end after their lifetime and at shutdown, and none is opened after that', async () => {
  view = aView();
  const ending = new AbortController();
  const brief = openLiveStatus({ lifetime: 50 });
  const own = await startFixture({
    domain: { findCheckout: async () => aView() },
    clock: () => now,
    live: brief,
    ending: ending.signal,
  });
  const address = `${own.url}/checkout/${TOKEN}/events`;
  expect(await marksOf(await fetch(address), 2)).toHaveLength(1);
  const lasting = openLiveStatus();
  const other = await startFixture({
    domain: { findCheckout: async () => aView() },
    clock: () => now,
    live: lasting,
    ending: ending.signal,
  });
  const reading = marksOf(await fetch(`${other.url}/checkout/${TOKEN}/events`), 2);
  ending.abort();
  expect(await reading).toHaveLength(1);
  expect((await fetch(`${other.url}/checkout/${TOKEN}/events`)).status).toBe(503);
  await Promise.all([own.close(), other.close()]);
});
