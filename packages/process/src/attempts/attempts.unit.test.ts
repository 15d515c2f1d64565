import { expect, test } from 'vitest';
import { type AttemptsOptions, openAttempts } from './attempts.ts';
import { openSlowQueue } from './slow-queue.ts';
import { sourceOf } from './source-of.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::1:2:3:4', '2001:db8:0:0'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  [null, 'unknown'],
])('failures of %s are counted for %s', (address, source) => {
  expect(sourceOf(address)).toBe(source);
});

/** Attempts on a clock that only the test moves. Each failure costs 10 ms, and a source has a budget of 20 ms. */
function openOnClock(change: Partial<AttemptsOptions> = {}) {
  const clock = { ms: 0 };
  let delayed = 0;
  const count = (): void => {
    delayed += 1;
  };
  const ofSource = { burstMs: 20, perSecondMs: 10 };
  const attempts = openAttempts({ failureMs: 10, ofSource, now: () => clock.ms, delayed: count, ...change });
  const isDelayed = (address: string, isLight = false): boolean => {
    const before = delayed;
    attempts.begin(address, { isLight });
    return delayed > before;
  };
  const fail = async (address: string, isLight = true): Promise<void> =>
    (await attempts.begin(address, { isLight })).failed();
  return { clock, attempts, isDelayed, fail };
}

test('a source that has used up its budget waits, other sources do not, and neither do its light attempts', async () => {
  const { isDelayed, fail, clock } = openOnClock();
  await fail('192.0.2.1');
  expect(isDelayed('192.0.2.1')).toBe(false);
  await fail('192.0.2.1');
  expect([isDelayed('192.0.2.1'), isDelayed('192.0.2.1', true), isDelayed('192.0.2.2')]).toEqual([true, false, false]);
  clock.ms += 1_000;
  expect(isDelayed('192.0.2.1')).toBe(false);
});

test('all addresses of an IPv6 network share one budget', async () => {
  const { isDelayed, fail } = openOnClock();
  await fail('2001:db8::1');
  await fail('2001:db8::2');
  expect([isDelayed('2001:db8::3'), isDelayed('2001:db8:0:1::3')]).toEqual([true, false]);
});

test('attempts that succeed cost no budget, and a failed one is charged for the time of its check', async () => {
  const { attempts, isDelayed, clock } = openOnClock();
  for (let i = 0; i < 100; i += 1) (await attempts.begin('192.0.2.1')).succeeded();
  expect(isDelayed('192.0.2.1')).toBe(false);
  const attempt = await attempts.begin('192.0.2.1');
  expect(attempt.measure(() => (clock.ms += 15))).toBe(15);
  attempt.failed();
  expect(isDelayed('192.0.2.1')).toBe(true);
});

test('attempts at the same time are charged when they begin, and get it back if they succeed', async () => {
  const { attempts, isDelayed } = openOnClock({ isChargedAhead: true });
  const [first, second] = [await attempts.begin('192.0.2.1'), await attempts.begin('192.0.2.1')];
  expect(isDelayed('192.0.2.1')).toBe(true);
  first.succeeded();
  second.succeeded();
  expect(isDelayed('192.0.2.1')).toBe(false);
});

test('many sources together have a budget too', async () => {
  const { isDelayed, fail } = openOnClock({ ofAll: { burstMs: 50, perSecondMs: 10 } });
  for (let i = 1; i <= 5; i += 1) await fail(`192.0.2.${i}`);
  expect([isDelayed('198.51.100.1'), isDelayed('198.51.100.1', true)]).toEqual([true, false]);
});

test('the sources in memory are limited', async () => {
  const { fail, isDelayed } = openOnClock();
  await fail('192.0.2.1');
  await fail('192.0.2.1');
  expect(isDelayed('192.0.2.1')).toBe(true);
  for (let i = 0; i < 10_000; i += 1) await fail(`10.0.${i >> 8}.${i & 255}`);
  expect(isDelayed('192.0.2.1')).toBe(false);
});

/** A queue whose timer and clock only the test moves. Each attempt takes `tookMs`. */
function openQueueOnClock(maxWaiting = 100) {
  const clock = { ms: 0, planned: null as (() => void) | null, at: 0 };
  const later = (ms: number, then: () => void): void => {
    clock.planned = then;
    clock.at = clock.ms + ms;
  };
  const queue = openSlowQueue({ share: 0.1, expectedMs: 1, maxWaiting, now: () => clock.ms, later });
  const begun: string[] = [];
  const enter = (source: string, tookMs = 1): void => {
    queue.enter(source).then(({ done }) => {
      begun.push(source);
      done(tookMs);
    });
  };
  /** Lets the next planned turn come. */
  const advance = async (): Promise<void> => {
    const { planned } = clock;
    clock.planned = null;
    clock.ms = Math.max(clock.ms, clock.at);
    planned?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { clock, queue, begun, enter, advance };
}

test('waiting attempts take a tenth of the time at most', async () => {
  const { clock, queue, enter, advance } = openQueueOnClock();
  for (let i = 0; i < 50; i += 1) enter('192.0.2.1', 1);
  while (queue.waiting() > 0) await advance();
  expect(clock.ms).toBeGreaterThanOrEqual(450);
  expect(clock.ms).toBeLessThan(700);
});

test('waiting sources take turns, however many attempts one of them has', async () => {
  const { begun, enter, advance } = openQueueOnClock();
  for (let i = 0; i < 20; i += 1) enter('noisy');
  enter('other');
  for (let turn = 0; turn < 4; turn += 1) await advance();
  expect(begun).toContain('other');
});

test('no waiting attempt is refused: beyond the limit the one that has waited longest begins', async () => {
  const { begun, queue, enter } = openQueueOnClock(3);
  for (const source of ['a', 'b', 'c', 'd', 'e']) enter(source);
  await Promise.resolve();
  await Promise.resolve();
  expect([begun, queue.waiting()]).toEqual([['a', 'b'], 3]);
});

test('an attempt that waited and then succeeded leaves its time to others', async () => {
  const { clock, queue, enter, advance } = openQueueOnClock();
  for (let i = 0; i < 20; i += 1) enter('192.0.2.1', 0);
  while (queue.waiting() > 0) await advance();
  expect(clock.ms).toBeLessThan(100);
});
