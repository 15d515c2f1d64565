import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { Domain } from '@tidegate/domain';
import { reconcile } from '@tidegate/domain/worker';
import { type BenchEnvironment, prepareFixture } from './bench-environment.ts';
import { signCreates } from './kinds/creates.ts';
import { medianOf } from './median.ts';
import { withDomain } from './own-postgres.ts';
import { arriveAtRest, sendToRest } from './send-to-rest.ts';
import { fillExpectations, letImport, type StatementDay, uploadStatement } from './statement-day.ts';

// Usage: node packages/bench/src/import-during-creates.ts [--lines 150000] [--rounds 5] [--share 50] [--rate 100]
// Measures payouts through HTTP, in turn with and without an import. The import is a statement in another process. First
// callers wait for their answers, then requests arrive at a share of their rate. With --rate only this rate is measured.

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '150000' },
    rounds: { type: 'string', default: '5' },
    /** Percent of what 64 callers reach. */
    share: { type: 'string', default: '50' },
    /** Requests a second. */
    rate: { type: 'string' },
    database: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const wallets = 100;
const callers = 64;
/** Signed creates for each second of a closed loop. */
const maxPerSecond = 5_000;

interface Imported {
  seconds: number;
  /** Processor time of the importing process, in seconds. */
  own: number;
}

await (values.database === undefined ? measureAll() : withDomain(values.database, importOnRequest));

/** A day for each import: the first one alone, then one for each round of the two loads. */
function dayOf(n: number): StatementDay {
  const day = new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
  const lines = Number(values.lines);
  return { tenant: 'PLATFORM-IN', currency: 'INR', channelId: 'bank', day, lines, prefix: `R${n}-` };
}

/** The importing process: fills the days, then imports the statement of each when asked. */
async function importOnRequest(domain: Domain): Promise<void> {
  const files: number[] = [];
  for (let n = 0; n <= 2 * rounds; n += 1) {
    await fillExpectations(domain, dayOf(n));
    files.push((await uploadStatement(domain, dayOf(n))).fileNo);
  }
  process.send?.('ready');
  for (const [n, fileNo] of files.entries()) {
    await once(process, 'message');
    const began = performance.now();
    const before = process.cpuUsage();
    await letImport(domain, dayOf(n), fileNo);
    while ((await reconcile(domain)) === 'found');
    const { user, system } = process.cpuUsage(before);
    await mustMatch(domain, n);
    process.send?.({ seconds: (performance.now() - began) / 1_000, own: (user + system) / 1e6 } satisfies Imported);
  }
  process.disconnect();
}

/** Otherwise something else than an import was measured. */
async function mustMatch({ database }: Domain, n: number): Promise<void> {
  const text = 'select count(*)::integer as matched from matched_line';
  const { rows } = await database.pool.query<{ matched: number }>(text);
  const expected = (n + 1) * Number(values.lines);
  if (rows[0]?.matched !== expected) throw new Error(`${rows[0]?.matched} of ${expected} lines are matched`);
}

async function measureAll(): Promise<void> {
  const environment = await prepareFixture(wallets);
  const database = await environment.freshDatabase();
  const importing = await startImporting(database.url);
  try {
    const rest = await environment.start('rest-adapter', database.url);
    try {
      const alone = await importing.next();
      console.log(
        `${values.lines} lines, alone: ${alone.seconds.toFixed(1)} s, ${alone.own.toFixed(1)} s of the process`,
      );
      await measureLoads(environment, rest.port, importing, alone.seconds);
    } finally {
      await rest.stop();
    }
  } finally {
    importing.stop();
    await environment.stop();
  }
}

/** Creates without the import and during it, in turn: first by callers that wait, then at a share of their rate. */
async function measureLoads(environment: BenchEnvironment, port: number, importing: Importing, seconds: number) {
  // The import takes longer during the creates, so that it lasts for the whole window.
  const timing = { warmUp: 1, seconds: Math.max(2, seconds - 1) };
  const measure = async (perSecond: number | null): Promise<Window> => {
    const count = Math.ceil((timing.warmUp + timing.seconds) * (perSecond ?? maxPerSecond)) + callers;
    const requests = await signCreates(environment, { kind: 'payout', wallets }, count, port);
    let cpuOf = environment.countCpu();
    const counting = (): void => {
      cpuOf = environment.countCpu();
    };
    const done =
      perSecond === null
        ? await sendToRest([port], callers, requests, timing, counting)
        : await arriveAtRest(port, { perSecond, connections: 256 }, requests, timing, counting);
    const { perSecond: rate, medianMs, p99Ms, answers } = done;
    return { rate, medianMs, p99Ms, cpuUs: cpuOf(answers)['rest-adapter'] ?? 0 };
  };
  // The first one lets Node compile what is used often.
  await measure(null);
  const fixed = values.rate === undefined ? null : Number(values.rate);
  if (fixed !== null) {
    await inTurn(`${fixed} a second`, importing, () => measure(fixed));
    return;
  }
  const closed = await inTurn('64 callers that wait for their answers', importing, () => measure(null));
  const perSecond = (medianOf(closed.map(({ rate }) => rate)) * Number(values.share)) / 100;
  const what = `${perSecond.toFixed(0)} a second, ${values.share} % of that`;
  await inTurn(what, importing, () => measure(perSecond));
}

/** Creates in one window, in milliseconds, and microseconds of the REST adapter's processor time for each. */
interface Window {
  rate: number;
  medianMs: number;
  p99Ms: number;
  cpuUs: number;
}

/** Prints each round and the ratios. Resolves to the windows without an import. */
async function inTurn(what: string, importing: Importing, measure: () => Promise<Window>): Promise<Window[]> {
  console.log(`\n${what}`);
  const without: Window[] = [];
  const during: Window[] = [];
  const measureDuring = async (): Promise<void> => {
    const imported = importing.next();
    const window = await measure();
    const isWhole = !importing.isDone();
    const { seconds } = await imported;
    console.log(
      `  during the import of ${seconds.toFixed(1)} s${isWhole ? '' : ', which ended first'}: ${textOf(window)}`,
    );
    during.push(window);
  };
  const measureAlone = async (): Promise<void> => {
    const window = await measure();
    console.log(`  without: ${textOf(window)}`);
    without.push(window);
  };
  for (let round = 0; round < rounds; round += 1)
    for (const one of round % 2 === 0 ? [measureAlone, measureDuring] : [measureDuring, measureAlone]) await one();
  for (const field of ['rate', 'medianMs', 'p99Ms', 'cpuUs'] as const) {
    const ratios = during.map((window, i) => window[field] / (without[i]?.[field] ?? Number.NaN));
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
    console.log(`  ${field}: during ÷ without ${medianOf(ratios).toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`);
  }
  return without;
}

function textOf({ rate, medianMs, p99Ms, cpuUs }: Window): string {
  return `${rate.toFixed(0)} /s, median ${medianMs.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ${cpuUs.toFixed(0)} µs`;
}

interface Importing {
  /** Imports the next statement in the other process. */
  next(): Promise<Imported>;
  /** Whether the last one has ended. */
  isDone(): boolean;
  stop(): void;
}

async function startImporting(database: string): Promise<Importing> {
  const options = ['--lines', values.lines, '--rounds', values.rounds, '--database', database];
  const child = spawn(process.execPath, [import.meta.filename, ...options], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await messageOf(child);
  let isDone = true;
  return {
    next: async () => {
      isDone = false;
      child.send('next');
      const imported = (await messageOf(child)) as Imported;
      isDone = true;
      return imported;
    },
    isDone: () => isDone,
    stop: () => void child.kill(),
  };
}

/** Throws if the process ends without a message. */
async function messageOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the importing process has ended')));
  const [message] = await Promise.race([once(child, 'message'), ended]);
  return message;
}
