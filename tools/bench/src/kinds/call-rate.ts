import { once } from 'node:events';
import { connectRedis, openCallLimiter } from '@tidegate/queue';
import type { Timing } from '../closed-loop.ts';
import { percentileOf } from '../percentile.ts';
import type { Kind, Row } from '../row.ts';

const alone = 'turns of nine merchants at one account, 95 of 100';
const beside = 'the same next to a merchant that always asks for more';

const rows: readonly Row[] = [
  { name: alone, unit: 'ms' },
  { name: beside, unit: 'ms', peers: [alone], aim: { atMost: 2 } },
];

const limited = { account: 'bench', rate: { perSecond: 20, burst: 1 } };
/** The turns that the greedy merchant waits for in each of two processes. */
const greedyTurns = 30;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

type Limiter = ReturnType<typeof openCallLimiter>;

/** Whether a merchant that fills the call rate of an account delays nine others there. Two limiters stand for two processes. */
export const callRate: Kind = {
  rows,
  // It needs none: its owners are only names.
  merchants: 1,
  measure: async ({ environment, timing }, _wanted, report) => {
    const connections = [1, 2].map(() => connectRedis(environment.redisUrl, 'commands', silent));
    const limiters = connections.map((redis) => openCallLimiter(redis));
    const ending = new AbortController();
    try {
      for (const redis of connections) if (redis.status !== 'ready') await once(redis, 'ready');
      report(alone, { figure: await turnsOfNine(limiters, timing) });
      const greedy = limiters.flatMap((limiter) =>
        Array.from({ length: greedyTurns }, () => askForMore(limiter, ending.signal)),
      );
      report(beside, { figure: await turnsOfNine(limiters, timing) });
      ending.abort();
      await Promise.all(greedy);
    } finally {
      ending.abort();
      for (const redis of connections) redis.disconnect();
    }
  },
};

/** Lets nine merchants wait for a turn at the same moment, again and again. The 95th percentile of their waits, in ms. */
async function turnsOfNine(limiters: readonly Limiter[], { seconds, warmUp }: Timing): Promise<number> {
  const began = performance.now();
  const waits: number[] = [];
  while (performance.now() - began < (warmUp + seconds) * 1_000) {
    const isCounted = performance.now() - began >= warmUp * 1_000;
    const round = Array.from({ length: 9 }, async (_, nth) => {
      const asked = performance.now();
      const asking = { owner: `quiet ${nth}`, priority: 'create', maxWaitMs: 2_000 } as const;
      const taken = await limiters[nth % limiters.length]?.turn(limited, asking);
      if (!taken?.ok) throw new Error('a quiet merchant was refused');
      if (isCounted) waits.push(performance.now() - asked);
    });
    await Promise.all(round);
  }
  return percentileOf(
    waits.toSorted((a, b) => a - b),
    0.95,
  );
}

async function askForMore(limiter: Limiter, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    await limiter.turn(limited, { owner: 'greedy', priority: 'create', maxWaitMs: 8_000, isPatient: true, signal });
}
