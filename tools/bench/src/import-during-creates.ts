import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { Domain } from '@tidegate/domain';
import { reconcile } from '@tidegate/domain/worker';
import { type BenchEnvironment, prepareFixture } from './bench-environment.ts';
import { cpuMsOf } from './cpu-time.ts';
import { signCreates } from './kinds/creates.ts';
import { medianOf } from './median.ts';
import { withDomain } from './own-postgres.ts';
import { arriveAtRest, sendToRest } from './send-to-rest.ts';
import { fillExpectations, letImport, type StatementDay, uploadStatement } from './statement-day.ts';

// Usage: node tools/bench/src/import-during-creates.ts [--lines 20000] [--rounds 5] [--rate 100].
// Measures payouts through HTTP: without an import, during one that never rests, and during one with its rests. The three alternate.
// The import is a statement in another process. 64 callers wait for their answers, until the import has ended. With
// --rate, requests arrive at this fixed rate instead.

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    /** Requests a second. */
    rate: { type: 'string' },
    database: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const wallets = 100;
const callers = 64;
/** The most seconds of a closed loop, and how many creates are signed for each second of the first one. */
const maxSeconds = 60;
const firstPerSecond = 1_000;

/** `without`: no import. `restless`: an import that never rests. `rested`: an import as the worker runs it. */
const ways = ['without', 'restless', 'rested'] as const;
type Way = (typeof ways)[number];

interface Imported {
  seconds: number;
  /** Processor time of the importing process, and of PostgreSQL for it, in seconds. */
  own: number;
  postgres: number;
}

await (values.database === undefined ? measureAll() : withDomain(values.database, importOnRequest));

/**
 * A day for each import: two alone, then two for each round. They belong to another country than the payouts, so that
 * these leave nothing to reconcile, and only the import is measured.
 */
function dayOf(n: number): StatementDay {
  const day = new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
  const lines = Number(values.lines);
  return { tenant: 'PLATFORM-PK', currency: 'PKR', channelId: 'bank', day, lines, prefix: `R${n}-` };
}

/** The importing process: fills the days, then imports and matches the statement of the next one when asked. */
async function importOnRequest(domain: Domain): Promise<void> {
  const cpu = countCpu(domain);
  const files: number[] = [];
  for (let n = 0; n < 2 + 2 * rounds; n += 1) {
    await fillExpectations(domain, dayOf(n));
    files.push((await uploadStatement(domain, dayOf(n))).fileNo);
  }
  process.send?.('ready');
  for (const [n, fileNo] of files.entries()) {
    const [way] = (await once(process, 'message')) as [Way];
    await letImport(domain, dayOf(n), fileNo);
    const [began, before] = [performance.now(), cpu()];
    while ((await reconcile(domain, () => false, way === 'rested' ? undefined : () => 0)) === 'found');
    const { own, postgres } = cpu();
    const seconds = (performance.now() - began) / 1_000;
    await mustMatch(domain, n, fileNo);
    const took: Imported = { seconds, own: own - before.own, postgres: postgres - before.postgres };
    process.send?.(took);
  }
  process.disconnect();
}

/** Counts the processor time of this process and of its connections to PostgreSQL, in seconds. */
function countCpu({ database }: Domain): () => { own: number; postgres: number } {
  // The last known time of each server process. It no longer has one after it has ended.
  const ofPostgres = new Map<number, number>();
  const note = (client: object): void => {
    const { processID: pid } = client as { processID?: number };
    if (pid !== undefined) ofPostgres.set(pid, Math.max(cpuMsOf(pid), ofPostgres.get(pid) ?? 0));
  };
  database.pool.on('acquire', note).on('release', (_, client) => note(client));
  return () => {
    const { user, system } = process.cpuUsage();
    for (const pid of ofPostgres.keys()) note({ processID: pid });
    return { own: (user + system) / 1e6, postgres: [...ofPostgres.values()].reduce((sum, ms) => sum + ms, 0) / 1_000 };
  };
}

/** Otherwise something else than an import was measured. */
async function mustMatch({ database }: Domain, n: number, fileNo: number): Promise<void> {
  const text = 'select count(*)::integer as matched from matched_line where file_no = $1';
  const { rows } = await database.pool.query<{ matched: number }>(text, [fileNo]);
  const { lines } = dayOf(n);
  if (rows[0]?.matched !== lines) throw new Error(`${rows[0]?.matched} of ${lines} lines are matched`);
}

async function measureAll(): Promise<void> {
  const environment = await prepareFixture(wallets);
  const database = await environment.freshDatabase({ hasOrders: true });
  const importing = await startImporting(database.url);
  try {
    const rest = await environment.start('rest-adapter', database.url);
    try {
      for (const way of ['restless', 'rested'] as const)
        console.log(`${values.lines} lines alone, ${way}: ${textOfImport(await importing.next(way))}`);
      await measureInTurn(environment, rest.port, importing);
    } finally {
      await rest.stop();
    }
  } finally {
    importing.stop();
    await environment.stop();
  }
}

/** Prints each window, and how the windows with an import differ from those without one. */
async function measureInTurn(environment: BenchEnvironment, port: number, importing: Importing): Promise<void> {
  const windows: Record<Way, Window[]> = { without: [], restless: [], rested: [] };
  // The first one lets Node compile what is used often.
  await measureWindow(environment, port, importing, { way: 'without', seconds: 2, perSecond: firstPerSecond });
  let [seconds, perSecond] = [8, firstPerSecond];
  for (let round = 0; round < rounds; round += 1)
    for (let place = 0; place < ways.length; place += 1) {
      // Each way comes first, second and last as often as the others.
      const way = ways[(round + place) % ways.length] ?? 'without';
      const window = await measureWindow(environment, port, importing, { way, seconds, perSecond });
      seconds = Math.min(maxSeconds, Math.max(seconds, window.imported?.seconds ?? 0));
      // Signing takes long, so only as many are signed as may be needed.
      perSecond = Math.max(300, 1.5 * window.rate);
      windows[way].push(window);
      console.log(`  ${way}: ${textOf(window)}`);
    }
  for (const way of ['restless', 'rested'] as const) {
    for (const field of ['rate', 'medianMs', 'p99Ms'] as const) {
      const ratios = windows[way].map((window, at) => window[field] / (windows.without[at]?.[field] ?? Number.NaN));
      console.log(`${way}, ${field}: ÷ without ${spreadOf(ratios)}`);
    }
    console.log(`${way}, part of the processor time: ${spreadOf(windows[way].map(({ part }) => part))}`);
  }
}

/** Creates in one window. */
interface Window {
  rate: number;
  medianMs: number;
  p99Ms: number;
  seconds: number;
  /** Null: there was none. */
  imported: Imported | null;
  /**
   * The part that the importing process and its connections have in the processor time of all processes. It hardly
   * depends on what else the machine does.
   */
  part: number;
}

/** Sends creates for some seconds, or until the import has ended. The import begins with the measured time. */
async function measureWindow(
  environment: BenchEnvironment,
  port: number,
  importing: Importing,
  { way, seconds, perSecond }: { way: Way; seconds: number; perSecond: number },
): Promise<Window> {
  const fixed = values.rate === undefined ? null : Number(values.rate);
  const timing = { warmUp: 1, seconds: way === 'without' || fixed !== null ? seconds : maxSeconds };
  const count = Math.ceil((timing.warmUp + seconds) * (fixed ?? perSecond)) + callers;
  const requests = await signCreates(environment, { kind: 'payout', wallets }, count, port);
  let cpuOf = environment.countCpu();
  let ending: Promise<Imported> | null = null;
  const counting = (): void => {
    cpuOf = environment.countCpu();
    if (way !== 'without') ending = importing.next(way);
  };
  const isOver = (): boolean => ending !== null && importing.isDone();
  const done =
    fixed === null
      ? await sendToRest([port], callers, requests, timing, counting, isOver)
      : await arriveAtRest(port, { perSecond: fixed, connections: 256 }, requests, timing, counting);
  const { perSecond: rate, medianMs, p99Ms, answers } = done;
  const used = Object.values(cpuOf(answers)).reduce((sum, us) => sum + us, 0) / 1e6;
  const imported = await (ending as Promise<Imported> | null);
  const cores = imported === null ? 0 : (imported.own + imported.postgres) / imported.seconds;
  // PostgreSQL's time for the import is in the time of all processes, that of the importing process is not.
  const part = imported === null ? 0 : cores / (used * rate + imported.own / imported.seconds);
  return { rate, medianMs, p99Ms, seconds: answers / rate, imported, part };
}

function textOf({ rate, medianMs, p99Ms, seconds, imported, part }: Window): string {
  const of = imported === null ? '' : `; import ${textOfImport(imported)}, ${(part * 100).toFixed(1)} %`;
  return `${rate.toFixed(0)} /s, median ${medianMs.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, in ${seconds.toFixed(1)} s${of}`;
}

function textOfImport({ seconds, own, postgres }: Imported): string {
  return `${seconds.toFixed(1)} s (${own.toFixed(1)} s of the process, ${postgres.toFixed(1)} s of PostgreSQL)`;
}

function spreadOf(figures: readonly number[]): string {
  return `${medianOf(figures).toFixed(2)} (${Math.min(...figures).toFixed(2)}–${Math.max(...figures).toFixed(2)})`;
}

interface Importing {
  /** Imports the next statement in the other process. */
  next(way: Exclude<Way, 'without'>): Promise<Imported>;
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
    next: async (way) => {
      isDone = false;
      child.send(way);
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
  const answered = new AbortController();
  const ended = once(child, 'exit', { signal: answered.signal }).then(() => {
    throw new Error('the importing process has ended');
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: answered.signal }), ended]);
    return message;
  } finally {
    ended.catch(() => undefined);
    answered.abort();
  }
}
