import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { claimLocally, openFairRate, type TakenTurn } from './fair-rate.ts';
import type { Priority } from './priority.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pool = 'call_rate';
const asking = (owner: string, priority: Priority = 'create', maxWaitMs = 5_000) => ({ owner, priority, maxWaitMs });

function turnOf(taken: TakenTurn) {
  if (!taken.ok) throw new Error('no turn');
  return taken.turn;
}

test('a burst passes at once, and then one turn after the other', async () => {
  const rate = openFairRate({ pool, claim: claimLocally({ perSecond: 50, burst: 4 }) });
  const began = performance.now();
  const passed: number[] = [];
  const all = Array.from({ length: 9 }, async () => {
    await rate.take(asking('a'));
    passed.push(performance.now() - began);
  });
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all(all);
  expect(passed).toEqual([0, 0, 0, 0, 20, 40, 60, 80, 100]);
});

test('a quiet merchant comes next, however many turns a greedy one waits for', async () => {
  const rate = openFairRate({ pool, claim: claimLocally({ perSecond: 100, burst: 1 }) });
  const passed: string[] = [];
  const take = async (owner: string, priority: Priority = 'create') => {
    if ((await rate.take(asking(owner, priority))).ok) passed.push(`${owner} ${priority}`);
  };
  const all = Array.from({ length: 12 }, () => take('greedy'));
  await vi.advanceTimersByTimeAsync(10);
  all.push(take('quiet'), take('third', 'payout'));
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(all);
  expect(passed.indexOf('third payout')).toBeLessThanOrEqual(3);
  expect(passed.indexOf('quiet create')).toBeLessThanOrEqual(5);
});

test('an asker whose turn would come too late is refused at once, and learns when it would not', async () => {
  const rate = openFairRate({ pool, claim: claimLocally({ perSecond: 10, burst: 1 }) });
  const first = Array.from({ length: 4 }, () => rate.take(asking('greedy')));
  await first[0];
  const refused = await rate.take(asking('greedy', 'create', 150));
  expect(refused).toMatchObject({ ok: false, retryAfterMs: expect.any(Number) });
  // Three turns of it wait, and the next two come within 150 ms.
  expect(!refused.ok && refused.retryAfterMs).toBeGreaterThan(100);
  // Who waits for nothing is not affected.
  const quiet = rate.take(asking('quiet', 'create', 250));
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await quiet).ok).toBe(true);
  await Promise.all(first);
});

test('a turn is used once, and an unused one serves the next', async () => {
  const rate = openFairRate({ pool, claim: claimLocally({ perSecond: 0.01, burst: 1 }) });
  const turn = turnOf(await rate.take(asking('a')));
  const next = rate.take(asking('b'));
  turn.giveBack();
  turn.giveBack();
  const second = turnOf(await next);
  expect([turn.use(), second.use(), second.use()]).toEqual([false, true, false]);
  second.giveBack();
  const last = rate.take(asking('c', 'create', 20));
  await vi.advanceTimersByTimeAsync(20);
  expect((await last).ok).toBe(false);
});

test('an unused turn is kept for a second if no one waits', async () => {
  const rate = openFairRate({ pool, claim: claimLocally({ perSecond: 0.01, burst: 1 }) });
  turnOf(await rate.take(asking('a'))).giveBack();
  await vi.advanceTimersByTimeAsync(999);
  expect((await rate.take(asking('b', 'create', 20))).ok).toBe(true);
  const next = rate.take(asking('c', 'create', 20));
  await vi.advanceTimersByTimeAsync(20);
  expect((await next).ok).toBe(false);
});

test('an unused turn is lost after a second', async () => {
  const rate = openFairRate({ pool, claim: claimLocally({ perSecond: 0.01, burst: 1 }) });
  turnOf(await rate.take(asking('a'))).giveBack();
  await vi.advanceTimersByTimeAsync(1_000);
  const late = rate.take(asking('b', 'create', 20));
  await vi.advanceTimersByTimeAsync(20);
  expect((await late).ok).toBe(false);
});

test('who is no longer interested leaves nothing behind', async () => {
  const rate = openFairRate({ pool, claim: claimLocally({ perSecond: 1, burst: 1 }) });
  await rate.take(asking('a'));
  const ending = new AbortController();
  const ended = rate.take({ ...asking('b'), signal: ending.signal });
  expect(rate.waiting).toBe(1);
  ending.abort();
  expect((await ended).ok).toBe(false);
  expect(rate.waiting).toBe(0);
});
