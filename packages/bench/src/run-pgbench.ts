import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Timing } from './closed-loop.ts';

export interface PgbenchRun {
  databaseUrl: string;
  scriptFile: string;
  clients: number;
  /** The number of merchants to draw from, evenly. */
  wallets: number;
}

/** On a busy machine the clients need seconds to start. */
const leastSeconds = 2;
const mostSeconds = 32;

/** Runs pgbench (found on PATH) on its own database. The rate excludes connecting. */
export async function runPgbench(run: PgbenchRun, timing: Timing): Promise<{ perSecond: number; meanMs: number }> {
  if (timing.warmUp > 0) await pgbench(run, Math.max(leastSeconds, Math.ceil(timing.warmUp)));
  return pgbench(run, Math.max(leastSeconds, Math.ceil(timing.seconds)));
}

async function pgbench(run: PgbenchRun, seconds: number): Promise<{ perSecond: number; meanMs: number }> {
  const { hostname, port, username, password, pathname } = new URL(run.databaseUrl);
  const threads = Math.min(2, run.clients);
  const { stdout } = await promisify(execFile)(
    'pgbench',
    [
      ...['--no-vacuum', '--protocol=prepared', `--file=${run.scriptFile}`, `--define=wallets=${run.wallets}`],
      ...[`--client=${run.clients}`, `--jobs=${threads}`, `--time=${seconds}`],
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
  // No client has started yet, so there is no measurement.
  if (/actually processed: 0\b/.test(stdout) && seconds < mostSeconds) return pgbench(run, seconds * 4);
  const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0);
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
  const meanMs = Number(/^latency average = ([\d.]+) ms/m.exec(stdout)?.[1]);
  if (failed > 0 || !(perSecond > 0) || !(meanMs > 0)) throw new Error(`pgbench did not go well:\n${stdout}`);
  return { perSecond, meanMs };
}
