import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Timing } from './closed-loop.ts';

export interface PgbenchRun {
  databaseUrl: string;
  scriptFile: string;
  clients: number;
  /** The number of merchants, each with one wallet. Every transaction picks one of them at random. */
  wallets: number;
}

/** pgbench counts whole seconds. */
const minSeconds = 1;
const maxSeconds = 32;

/** Runs pgbench (found on PATH). The rate does not include the time to connect. */
export async function runPgbench(run: PgbenchRun, timing: Timing): Promise<{ perSecond: number; meanMs: number }> {
  if (timing.warmUp > 0) await pgbench(run, Math.max(minSeconds, Math.ceil(timing.warmUp)));
  return pgbench(run, Math.max(minSeconds, Math.ceil(timing.seconds)));
}

async function pgbench(run: PgbenchRun, seconds: number): Promise<{ perSecond: number; meanMs: number }> {
  const { hostname, port, username, password, pathname } = new URL(run.databaseUrl);
  const threads = Math.min(2, run.clients);
  const { stdout } = await promisify(execFile)(
    'pgbench',
    [
      '--no-vacuum',
      '--protocol=prepared',
      `--file=${run.scriptFile}`,
      `--define=wallets=${run.wallets}`,
      `--client=${run.clients}`,
      `--jobs=${threads}`,
      `--time=${seconds}`,
    ],
    {
      env: {
        PATH: process.env.PATH,
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: decodeURIComponent(username),
        PGPASSWORD: decodeURIComponent(password),
        PGDATABASE: decodeURIComponent(pathname.slice(1)),
      },
      timeout: (seconds + 60) * 1000,
    },
  );
  // The run was over before a client had started. It is repeated with four times the length.
  if (/actually processed: 0\b/.test(stdout) && seconds < maxSeconds) return pgbench(run, seconds * 4);
  const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0);
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
  const meanMs = Number(/^latency average = ([\d.]+) ms/m.exec(stdout)?.[1]);
  if (failed > 0 || !(perSecond > 0) || !(meanMs > 0)) throw new Error(`pgbench failed:\n${stdout}`);
  return { perSecond, meanMs };
}
