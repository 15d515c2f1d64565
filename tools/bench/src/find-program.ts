import { execFileSync } from 'node:child_process';

/** The version line of a program on PATH, printed for `argument`; null if there is none. */
export function versionOnPath(program: string, argument: string): string | null {
  try {
    return execFileSync(program, [argument], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
