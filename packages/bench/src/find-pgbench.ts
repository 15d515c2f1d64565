import { execFileSync } from 'node:child_process';

/** What pgbench on PATH calls itself; null where there is none. */
export function pgbenchVersion(): string | null {
  try {
    return execFileSync('pgbench', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
