import type { CheckoutView } from '@tidegate/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aView } from '../../test/checkout-view.ts';
import { type Ground, startGround } from '../../test/rest-ground.ts';
import { openLiveStatus } from './live-status.ts';

const now = 1_789_999_000_000;
const TOKEN = 'PI01aaaaaaaaaaaaaaaaaaaa';
const live = openLiveStatus();
let view: CheckoutView;
let ground: Ground;
beforeAll(async () => {
  ground = await startGround({ domain: { findCheckout: async () => view }, clock: () => now, live });
});
afterAll(() => ground.close());

/** Reads a stream until it has brought this many marks; ends when it does. */
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

test('a listening page hears at once when its order moves, and of no other', async () => {
  view = aView();
  const response = await fetch(`${ground.url}/checkout/${TOKEN}/events`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const marks = await marksOf(response, 2, () => {
    live.heard([{ type: 'order', merchantId: 'M', orderNo: 'PI02', status: 'completed' }]);
    view = aView({ status: 'completed' });
    live.heard([{ type: 'order', merchantId: 'M', orderNo: 'PI01', status: 'completed' }]);
  });
  const page = await (await fetch(`${ground.url}/checkout/${TOKEN}`)).text();
  expect(page).toContain(`data-mark="${marks[1]}"`);
  expect(marks[0]).not.toBe(marks[1]);
});

test('what was not heard is looked at when that is noticed', async () => {
  view = aView();
  const marks = await marksOf(await fetch(`${ground.url}/checkout/${TOKEN}/events`), 2, () => {
    view = aView({ status: 'failed' });
    live.lost();
  });
  expect(marks).toHaveLength(2);
});

test('an order has eight streams at the most, and those who leave make room', async () => {
  view = aView();
  const leave = new AbortController();
  const open = () => fetch(`${ground.url}/checkout/${TOKEN}/events`, { signal: leave.signal });
  await expect.poll(() => live.count()).toBe(0);
  const eight = await Promise.all(Array.from({ length: 8 }, open));
  expect(eight.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const ninth = await open();
  expect([ninth.status, ninth.headers.get('retry-after')]).toEqual([503, '5']);
  leave.abort();
  await expect.poll(() => live.count()).toBe(0);
});

test('streams end after their lifetime, and when the process does; then none is opened', async () => {
  view = aView();
  const ending = new AbortController();
  const brief = openLiveStatus({ lifetime: 50 });
  const own = await startGround({
    ...{ domain: { findCheckout: async () => aView() }, clock: () => now },
    ...{ live: brief, ending: ending.signal },
  });
  const address = `${own.url}/checkout/${TOKEN}/events`;
  expect(await marksOf(await fetch(address), 2)).toHaveLength(1);
  const lasting = openLiveStatus();
  const other = await startGround({
    ...{ domain: { findCheckout: async () => aView() }, clock: () => now },
    ...{ live: lasting, ending: ending.signal },
  });
  const reading = marksOf(await fetch(`${other.url}/checkout/${TOKEN}/events`), 2);
  ending.abort();
  expect(await reading).toHaveLength(1);
  expect((await fetch(`${other.url}/checkout/${TOKEN}/events`)).status).toBe(503);
  await Promise.all([own.close(), other.close()]);
});
