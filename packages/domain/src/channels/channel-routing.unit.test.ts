import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CreateOutcome } from '../core/routing-health.ts';
import { openChannelRouting, type SharedOutcomes } from './channel-routing.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const scale = { scheduleScale: 1 };
const ignored = () => undefined;
const silentSince = (ago: number): ReadonlyMap<string, CreateOutcome[]> =>
  new Map([['bank', Array.from({ length: 10 }, () => ({ at: Date.now() - ago, isAnswered: false }))]]);
const open = (read: SharedOutcomes['read']) => openChannelRouting({ add: ignored, read }, scale);
const configured = { weightFactor: 1, isLast: false };

test('the health of channels is read once a second for all orders', async () => {
  const read = vi.fn(async () => silentSince(0));
  const routing = open(read);
  for (let i = 0; i < 50; i += 1) expect((await routing.view()).healthOf('bank').isLast).toBe(true);
  expect(read).toHaveBeenCalledTimes(1);
  expect((await routing.view()).healthOf('other')).toEqual(configured);
  await vi.advanceTimersByTimeAsync(1_000);
  await routing.view();
  await routing.view();
  expect(read).toHaveBeenCalledTimes(2);
});

test('without a store of health, or when it fails, routes have their configured weights', async () => {
  expect((await openChannelRouting(null, scale).view()).healthOf('bank')).toEqual(configured);
  const routing = open(() => Promise.reject(new Error('Redis is unavailable')));
  expect((await routing.view()).healthOf('bank')).toEqual(configured);
  expect(await routing.health()).toBeNull();
});

test('if Redis hangs, the last snapshot is used for 10 s; then the first order waits 200 ms and later ones do not wait', async () => {
  let hangs = false;
  const routing = open(() => (hangs ? new Promise(ignored) : Promise.resolve(silentSince(0))));
  expect((await routing.view()).healthOf('bank').isLast).toBe(true);
  hangs = true;
  await vi.advanceTimersByTimeAsync(10_000);
  // Still usable, so no order waits for the reading that begins now.
  expect((await routing.view()).healthOf('bank').isLast).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  const waiting = routing.view();
  await vi.advanceTimersByTimeAsync(200);
  expect((await waiting).healthOf('bank')).toEqual(configured);
  expect((await routing.view()).healthOf('bank')).toEqual(configured);
});

test('a half-open breaker lets one order per process and pause through', async () => {
  const routing = open(async () => silentSince(30_000));
  const view = await routing.view();
  expect(view.healthOf('bank')).toEqual(configured);
  view.chose('bank');
  expect(view.healthOf('bank').isLast).toBe(true);
  expect((await routing.view()).healthOf('bank').isLast).toBe(true);
  await vi.advanceTimersByTimeAsync(30_000);
  expect((await routing.view()).healthOf('bank')).toEqual(configured);
});
