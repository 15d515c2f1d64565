import { expect, test } from 'vitest';
import { openCallbackQueries } from '../channels/callback-queries.ts';
import { openChannelSlots } from '../channels/channel-slots.ts';
import { type AskPool, tryGreedyAndNine } from '../testing/greedy-and-nine.ts';
import { openFairRate } from './fair-rate.ts';
import { openFairSlots, type TakenSlot } from './fair-slots.ts';

// Of each pool of this package: one greedy owner does not refuse nine quiet ones, nor make them wait twice as long.

const releaseOf = (taken: TakenSlot): (() => void) | null => (taken.ok ? taken.release : null);
const waiting = { priority: 'create', maxWaitMs: 10_000, isPatient: true } as const;

/** Slots in which all wait for their turn. */
function openWaiting(slots: number): AskPool {
  const opened = openFairSlots({ pool: 'graphql_requests', slots });
  return async (owner) => releaseOf(await opened.take({ owner, ...waiting }));
}

function openCreates(): AskPool {
  const slots = openChannelSlots(200).of('A');
  return async (owner) => releaseOf(slots.takeNow(owner));
}

function openQueries(): AskPool {
  const queries = openCallbackQueries();
  let orders = 0;
  return (owner) =>
    new Promise((resolve) => {
      const query = () => new Promise<true>((done) => resolve(() => done(true)));
      void queries.run('A', { merchantId: owner, orderNo: `${orders++}` }, query).then((ran) => ran ?? resolve(null));
    });
}

/** A rate of one call at a time: each is granted when the one before was given back. */
function openCalls(): AskPool {
  const rate = openFairRate({
    pool: 'call_rate',
    claim: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return { waitMs: 0, ready: 0, perTurnMs: 0 };
    },
  });
  return async (owner) => {
    const taken = await rate.take({ owner, ...waiting });
    if (!taken.ok) return null;
    taken.turn.use();
    return () => undefined;
  };
}

test.each<[string, () => AskPool]>([
  ['slots for creates', openCreates],
  ['queries caused by callbacks', openQueries],
  ['64 GraphQL requests or questions to channels', () => openWaiting(64)],
  ['12 slots in which all wait', () => openWaiting(12)],
  ['the call rate of an account', openCalls],
])('%s: nine quiet owners next to a greedy one', async (_name, open) => {
  const { alone, joined } = await tryGreedyAndNine(open);
  expect([alone.refused, joined.refused]).toEqual([0, 0]);
  expect(joined.p95).toBeLessThanOrEqual(2 * alone.p95);
});

test('the same measure finds a pool without owners', async () => {
  const inOneLine = (): AskPool => {
    const opened = openFairSlots({ pool: 'graphql_requests', slots: 12 });
    return async () => releaseOf(await opened.take({ owner: 'all', ...waiting }));
  };
  const { alone, joined } = await tryGreedyAndNine(inOneLine);
  expect(joined.p95).toBeGreaterThan(2 * alone.p95);
});
