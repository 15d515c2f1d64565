import { execFileSync } from 'node:child_process';

/** What a program on PATH calls itself when it is asked by `argument`; null where there is none. */
export function versionOnPath(program: string, argument: string): string | null {
  try {
    return execFileSync(program, [argument], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
