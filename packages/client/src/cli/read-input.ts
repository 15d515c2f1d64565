import { readFileSync, statSync } from 'node:fs';
import { type Io, UsageProblem } from './command.ts';

const MAX_BYTES = 1024 * 1024;

/** Reads a file, or standard input for `-`. @throws UsageProblem */
export async function readInput(path: string, io: Pick<Io, 'readStdin'>): Promise<Uint8Array> {
  if (path === '-') {
    const bytes = await io.readStdin(MAX_BYTES);
    if (bytes === null) throw new UsageProblem('standard input holds more than 1 MiB');
    return bytes;
  }
  try {
    if (statSync(path).size > MAX_BYTES) throw new Error('it has more than 1 MiB');
    return readFileSync(path);
  } catch (error) {
    throw new UsageProblem(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
