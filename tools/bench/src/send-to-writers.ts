import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BenchEnvironment } from './bench-environment.ts';
import type { Timing } from './closed-loop.ts';
import { percentileOf } from './percentile.ts';
import type { Measured } from './row.ts';
import type { FromWriter, ToWriter } from './writer-process/messages.ts';

const script = fileURLToPath(new URL('./writer-process/main.ts', import.meta.url));

/** Processes that each have their own ledger writer on one database. */
export interface Writers {
  /** Creates payouts in all processes at once, over the same `wallets`. `callers` is the total over all processes. */
  measure(load: { callers: number; wallets: number }, timing: Timing): Promise<Measured>;
  stop(): Promise<void>;
}

export async function startWriters(
  environment: BenchEnvironment,
  databaseUrl: string,
  processes: number,
): Promise<Writers> {
  const children = Array.from({ length: processes }, () => fork(script, [databaseUrl]));
  const stop = async (): Promise<void> => {
    const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    const ended = running.map((child) => once(child, 'exit'));
    for (const child of running) child.disconnect();
    await Promise.all(ended);
  };
  try {
    await Promise.all(children.map(messageOf));
  } catch (error) {
    await stop();
    throw error;
  }
  const measure: Writers['measure'] = async ({ callers, wallets }, timing) => {
    const load = { kind: 'payout', callers: callers / processes, wallets } as const;
    for (const child of children) child.send({ load, timing } satisfies ToWriter);
    await Promise.all(children.map(messageOf));
    const cpuOf = environment.countCpu();
    const answers = (await Promise.all(children.map(messageOf))).filter((message) => typeof message === 'object');
    return summaryOf(answers, cpuOf);
  };
  return { measure, stop };
}

type Answer = Exclude<FromWriter, string>;

function summaryOf(answers: readonly Answer[], cpuOf: ReturnType<BenchEnvironment['countCpu']>): Measured {
  const waits = answers.flatMap((answer) => answer.waits).sort((a, b) => a - b);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const { postgres = 0 } = cpuOf(waits.length);
  return {
    figure: sum(answers.map((answer) => answer.waits.length / answer.seconds)),
    waitMs: percentileOf(waits, 0.5),
    p99Ms: percentileOf(waits, 0.99),
    meanBatch: waits.length / sum(answers.map(({ batches }) => batches)),
    cpuUs: { postgres, writers: sum(answers.map(({ cpuUs }) => cpuUs)) / waits.length },
  };
}

async function messageOf(child: ChildProcess): Promise<FromWriter> {
  const stopped = new AbortController();
  const ended = once(child, 'exit', { signal: stopped.signal }).then(([code]) => {
    throw new Error(`a process with a ledger writer ended with ${code}`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message as FromWriter;
  } finally {
    ended.catch(() => undefined);
    stopped.abort();
  }
}
