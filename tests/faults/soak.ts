import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { portBlocks } from '../run-services/port-blocks.ts';
import { type ChaosHarness, openChaosHarness } from './chaos-harness.ts';
import { type Fault, faults } from './faults.ts';
import { injectFault, heavyLoad as load, prove, summaryOf } from './run-fault.ts';

// npm run soak -- --minutes 10 [--seed N]: the faults of the tests in random order, one after the other under load, on one set of
// data. The orders of each are proved during the next one. Ends with 1 at the first violation.

const usage = 'npm run soak -- [--minutes 1 to 1440, default 10] [--seed a whole number; default: any, and printed]';

interface Score {
  begun: number;
  proved: number;
  orders: number;
  requests: number;
}

const { minutes, seed } = readArguments(process.argv.slice(2));
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ending.abort());
const stopRequested = new Promise<'stopped'>((resolve) =>
  ending.signal.addEventListener('abort', () => resolve('stopped')),
);

console.log(`Soaking for ${minutes} minutes; --seed ${seed} gives the same order of faults again.`);
const score: Score = { begun: 0, proved: 0, orders: 0, requests: 0 };
const opening = openChaosHarness({ reservePorts: portBlocks().reserve });
const opened = await Promise.race([opening, stopRequested]);
let violated = false;
if (opened !== 'stopped') {
  const soaking = soak(opened, performance.now() + minutes * 60_000).catch((error: unknown) => {
    // What fails because everything is being ended is no violation.
    if (!ending.signal.aborted) throw error;
  });
  await Promise.race([soaking, stopRequested]).catch((error: unknown) => {
    violated = true;
    console.error(error instanceof Error ? error.message : error);
  });
}
ending.abort();
await (await opening).stop();
const how = violated ? 'Ended at a violation' : 'No violation';
console.log(
  `${how}: ${score.proved} faults, ${score.requests} creates, ${score.orders} orders with the expected status; seed ${seed}.`,
);
process.exit(violated ? 1 : 0);

/** Throws at the first violation. */
async function soak(fixture: ChaosHarness, until: number): Promise<void> {
  const random = randomFrom(seed);
  let proving: Promise<void> = Promise.resolve();
  while (performance.now() < until && !ending.signal.aborted) {
    for (const fault of shuffled(faults, random)) {
      if (performance.now() >= until || ending.signal.aborted) break;
      const before = proving;
      const payers = new AbortController();
      const prefix = `S${score.begun++}`;
      // A violation under the previous fault ends the run at once, without waiting for the current fault.
      const [run] = await Promise.all([injectFault(fixture, fault, { prefix, payers: payers.signal, load }), before]);
      proving = prove(fixture, run).then((proof) => {
        payers.abort();
        score.proved += 1;
        score.orders += proof.ordersProved;
        score.requests += run.tally.requests;
        console.log(summaryOf(run, proof));
        if (proof.problems.length > 0)
          throw new Error(`VIOLATED under ${fault.name}:\n  ${proof.problems.join('\n  ')}`);
      });
      proving.catch(() => undefined);
    }
  }
  await proving;
}

function readArguments(args: string[]): { minutes: number; seed: number } {
  try {
    const options = { minutes: { type: 'string' }, seed: { type: 'string' } } as const;
    const { values } = parseArgs({ args, options });
    const wanted = Number(values.minutes ?? 10);
    const first = Number(values.seed ?? randomInt(2 ** 31));
    if (wanted > 0 && wanted <= 1_440 && Number.isSafeInteger(first)) return { minutes: wanted, seed: first };
  } catch {
    // Reported below.
  }
  console.error(usage);
  process.exit(2);
}

/** Numbers from 0 to below 1 that follow from the seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled(list: readonly Fault[], random: () => number): Fault[] {
  return list
    .map((fault) => ({ fault, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ fault }) => fault);
}
