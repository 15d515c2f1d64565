import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, onTestFinished } from 'vitest';
import { runCommandLine } from '../src/cli/run-command-line.ts';

let folder = '';

export function ownFolder(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidegate-merchant-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
  });
}

/** The path of a file in the test's folder; without a name, of the folder. Writes `text` if given. */
export function file(name: string, text = '', mode = 0o600): string {
  const path = join(folder, name);
  if (text !== '') writeFileSync(path, text, { mode });
  return path;
}

/** Runs a command as the program does. Returns its exit code and output. */
export async function run(
  typed: string[],
  given: { env?: Record<string, string>; stdin?: string; onErr?: (text: string) => void } = {},
) {
  const output = { out: '', err: '' };
  const code = await runCommandLine(typed, {
    env: given.env ?? {},
    readStdin: async () => Buffer.from(given.stdin ?? ''),
    out: (text) => {
      output.out += text;
    },
    err: (text) => {
      output.err += text;
      given.onErr?.(text);
    },
    signal: new AbortController().signal,
  });
  return { code, ...output };
}
