import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import type { ChaosHarness } from './chaos-harness.ts';
import type { FaultProxy } from './fault-proxy.ts';
import { freezeWithinTransaction, holdWallet } from './held-rows.ts';
import type { Tally } from './place-order.ts';
import { askSixOperations, type ProbeResult } from './six-operations.ts';

/** Something that goes wrong while orders are in flight. */
export interface Fault {
  readonly name: string;
  /** The target. */
  readonly place: 'processes' | 'redis' | 'postgres' | 'commits' | 'upstream';
  /** Makes the fault and ends it. Resolves when it is over. The result is printed. */
  inject(fixture: ChaosHarness, witness: Witness, tally: Readonly<Tally>): Promise<string | undefined>;
  /** From the end of it, until a create is answered with code 0 again, on an idle machine. */
  readonly answersWithinMs: number;
  /** What should have happened during the fault and did not. Then the run proves nothing. */
  missed?(tally: Tally): string | null;
}

/** Observes the service during a fault. */
export interface Witness {
  /** Asks for the six operations while a dependency is unavailable, again and again for so long. */
  away(ms: number): Promise<void>;
}

/** What a witness saw. */
export interface Testimony {
  readonly witness: Witness;
  readonly requests: ProbeResult[];
}

export function callWitness(fixture: ChaosHarness): Testimony {
  const requests: ProbeResult[] = [];
  const away = async (ms: number): Promise<void> => {
    const until = Date.now() + ms;
    while (Date.now() < until) {
      requests.push(...(await askSixOperations(fixture)));
      await delay(200);
    }
  };
  return { witness: { away }, requests };
}

type Target = 'rest' | 'worker';
const both: readonly Target[] = ['rest', 'worker'];
const FIVE_SECONDS = 5_000;

export const faults: readonly Fault[] = [
  {
    name: 'kill -9 of rest-adapter',
    place: 'processes',
    answersWithinMs: 20_000,
    inject: (fixture) => kill(fixture, ['rest']),
  },
  {
    name: 'kill -9 of worker',
    place: 'processes',
    answersWithinMs: 20_000,
    inject: (fixture) => kill(fixture, ['worker']),
  },
  {
    name: 'kill -9 of both, three times',
    place: 'processes',
    answersWithinMs: 20_000,
    inject: async (fixture) => {
      for (let round = 0; round < 3; round++) {
        await kill(fixture, both);
        await Promise.all(both.map((target) => isReady(fixture, target)));
        // Anywhere in what they do first.
        await delay(Math.random() * 1_500);
      }
      return undefined;
    },
  },
  {
    name: 'rest-adapter frozen within a transaction, 13 s',
    place: 'processes',
    answersWithinMs: 20_000,
    inject: (fixture) => freezeWithinTransaction(fixture, 'rest', 13_000),
  },
  {
    name: 'worker frozen within a transaction, 13 s',
    place: 'processes',
    answersWithinMs: 20_000,
    inject: (fixture) => freezeWithinTransaction(fixture, 'worker', 13_000),
  },
  {
    name: 'rest-adapter and worker frozen for 2 s, one after the other',
    place: 'processes',
    answersWithinMs: 20_000,
    inject: async (fixture) => {
      const seen = [];
      for (const target of both) seen.push(await freezeWithinTransaction(fixture, target, 2_000));
      return seen.join('; ');
    },
  },
  {
    // Longer than the lease of a piece of work.
    name: 'rest-adapter and worker frozen for 40 s',
    place: 'processes',
    answersWithinMs: 20_000,
    inject: async (fixture) =>
      (await Promise.all(both.map((target) => freezeWithinTransaction(fixture, target, 40_000)))).join('; '),
  },
  {
    name: 'a session that holds a wallet row for 10 s',
    place: 'postgres',
    answersWithinMs: 5_000,
    inject: (fixture) => holdWallet(fixture, 'IN', 10_000),
  },
  {
    name: 'the upstream down for 30 s',
    place: 'upstream',
    answersWithinMs: 20_000,
    inject: async ({ sandbox, upstream, outages }) => {
      const pid = sandbox.pidOf('upstream');
      const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY };
      outages.push(outage);
      process.kill(pid, 'SIGSTOP');
      upstream.proxy.refuse();
      await delay(30_000);
      upstream.proxy.repair();
      process.kill(pid, 'SIGCONT');
      // What was on its way then is answered within the next seconds.
      outage.to = Date.now() + 10_000;
      return undefined;
    },
  },
  {
    name: 'Redis emptied (FLUSHALL)',
    place: 'redis',
    answersWithinMs: FIVE_SECONDS,
    inject: async ({ redis }) => {
      await redis.flush();
      return undefined;
    },
  },
  {
    name: 'Redis stopped for 20 s, and back empty',
    place: 'redis',
    answersWithinMs: FIVE_SECONDS,
    inject: async ({ redis }, witness) => {
      await redis.server.end('SIGTERM');
      await witness.away(20_000);
      await redis.server.startAgain();
      return undefined;
    },
  },
  {
    name: 'Redis slow: 60 ms each way, 5 s',
    place: 'redis',
    answersWithinMs: FIVE_SECONDS,
    inject: async ({ redis }) => {
      redis.proxy.delay(60);
      await delay(5_000);
      redis.proxy.repair();
      return undefined;
    },
  },
  {
    name: 'replies of Redis cut in the middle',
    place: 'redis',
    answersWithinMs: FIVE_SECONDS,
    inject: ({ redis }) => cutNow(redis.proxy, (proxy) => proxy.cutReplies(8)),
  },
  {
    name: 'Redis frozen for 5 s',
    place: 'redis',
    answersWithinMs: FIVE_SECONDS,
    inject: async ({ redis }, witness) => {
      redis.proxy.freeze();
      await witness.away(5_000);
      redis.proxy.repair();
      return undefined;
    },
  },
  {
    name: 'Redis gone without a word for 5 s',
    place: 'redis',
    answersWithinMs: FIVE_SECONDS,
    inject: async ({ redis }, witness) => {
      redis.proxy.silence();
      await witness.away(5_000);
      redis.proxy.repair();
      return undefined;
    },
  },
  {
    name: 'PostgreSQL restarted (fast)',
    place: 'postgres',
    answersWithinMs: 20_000,
    inject: (fixture) => restartPostgres(fixture, 'SIGINT'),
  },
  {
    name: 'PostgreSQL restarted (immediate)',
    place: 'postgres',
    answersWithinMs: 20_000,
    inject: (fixture) => restartPostgres(fixture, 'SIGQUIT'),
  },
  {
    name: 'PostgreSQL slow: 40 ms each way, 5 s',
    place: 'postgres',
    answersWithinMs: 20_000,
    inject: async ({ postgres }) => {
      postgres.proxy.delay(40);
      await delay(5_000);
      postgres.proxy.repair();
      return undefined;
    },
  },
  {
    name: 'replies of PostgreSQL cut in the middle',
    place: 'postgres',
    answersWithinMs: 20_000,
    inject: ({ postgres }) => cutNow(postgres.proxy, (proxy) => proxy.cutReplies(8)),
  },
  {
    name: 'PostgreSQL frozen for 5 s',
    place: 'postgres',
    answersWithinMs: 20_000,
    inject: async ({ postgres }, witness) => {
      postgres.proxy.freeze();
      await witness.away(5_000);
      postgres.proxy.repair();
      return undefined;
    },
  },
  {
    name: 'PostgreSQL gone without a word for 5 s',
    place: 'postgres',
    answersWithinMs: 30_000,
    inject: async ({ postgres }, witness) => {
      postgres.proxy.silence();
      await witness.away(5_000);
      postgres.proxy.repair();
      return undefined;
    },
  },
  {
    name: 'answers of COMMIT lost',
    place: 'commits',
    answersWithinMs: 20_000,
    // Each cut is so long that the service stops its own retries, and merchants have to retry.
    inject: ({ postgres }, _witness, tally) =>
      cutNow(postgres.proxy, (proxy) => proxy.cutCommits(Number.POSITIVE_INFINITY), {
        ms: 1_500,
        isEnough: () => tally.foundExisting > 0,
      }),
    missed: ({ foundExisting }) =>
      foundExisting > 0 ? null : 'no merchant had to look for an order whose answer was lost',
  },
];

const CUT_ROUNDS = 5;
/** On a busy machine the first cuts may meet nothing that a merchant waits for. */
const MOST_CUT_ROUNDS = 40;

/** Arms a proxy's cuts a few times, each for so long, and more often until it `isEnough`. */
async function cutNow(
  proxy: FaultProxy,
  arm: (proxy: FaultProxy) => void,
  { ms = 500, isEnough = () => true }: { ms?: number; isEnough?(): boolean } = {},
): Promise<string> {
  const before = proxy.cuts();
  for (let round = 0; round < CUT_ROUNDS || (round < MOST_CUT_ROUNDS && !isEnough()); round++) {
    arm(proxy);
    await delay(ms);
    proxy.repair();
    await delay(200);
  }
  return `${proxy.cuts() - before} cut`;
}

/** With the signal of PostgreSQL's fast, or immediate, shutdown. */
async function restartPostgres({ postgres }: ChaosHarness, signal: NodeJS.Signals): Promise<undefined> {
  await postgres.server.end(signal);
  await postgres.server.startAgain();
}

/** The supervisor does not restart a process that ended six times within a minute. */
const MAX_DEATHS = 5;
const A_MINUTE_MS = 61_000;

/** Resolves when the signals are sent. */
async function kill({ sandbox, kills }: ChaosHarness, targets: readonly Target[]): Promise<undefined> {
  for (const target of targets) {
    const recent = () => kills.filter((death) => death.target === target && death.at > Date.now() - A_MINUTE_MS).length;
    await waitUntil(`${target} may die again`, async () => recent() < MAX_DEATHS, { timeoutMs: 2 * A_MINUTE_MS });
    kills.push({ target, at: Date.now() });
    process.kill(sandbox.pidOf(target), 'SIGKILL');
  }
}

async function isReady({ sandbox }: ChaosHarness, target: Target): Promise<void> {
  const url = target === 'rest' ? sandbox.file.restUrl : sandbox.file.workerUrl;
  const answers = () =>
    fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
  await waitUntil(`another ${target}`, answers, { timeoutMs: 60_000 });
}
