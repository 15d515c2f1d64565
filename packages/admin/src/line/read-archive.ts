import { createReadStream } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { fileProblem } from './file-problem.ts';
import { InputProblem } from './who-acts.ts';

/** Rows per batch. */
const batchSize = 2_000;
/** Characters in one row; the longest ones have the body of a notification or of a channel's answer. */
const longestRow = 4 * 1024 ** 2;

/**
 * Reads what `archive-rows.ts` of the worker wrote: `<kind>/<day>/<name>.jsonl.gz`, the oldest day first. Files of days before `from` hold
 * nothing of later and are skipped. Throws InputProblem for a folder or file that cannot be read, and for a line that is no JSON object.
 */
export async function* readArchive(dir: string, kind: string, from: Date): AsyncGenerator<readonly string[]> {
  const firstDay = from.toISOString().slice(0, 10);
  await access(dir).catch((error) => cannotRead(dir, error));
  const days = (await namesIn(join(dir, kind))).filter((day) => /^\d{4}-\d\d-\d\d$/.test(day) && day >= firstDay);
  for (const day of days.sort()) {
    const names = (await namesIn(join(dir, kind, day))).filter((name) => /^[^.].*\.jsonl\.gz$/.test(name));
    for (const name of names.sort()) yield* readFile(join(dir, kind, day, name));
  }
}

/** Nothing of a kind was archived where its folder is missing. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : cannotRead(folder, error);
  }
}

async function* readFile(path: string): AsyncGenerator<readonly string[]> {
  const content = createReadStream(path).on('error', (error) => unzipped.destroy(error));
  const unzipped = content.pipe(createGunzip());
  let rows: string[] = [];
  let line = 0;
  try {
    for await (const row of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1;
      if (!isObject(row)) throw new InputProblem(`${path}, line ${line}: this is no JSON object`);
      rows.push(row);
      if (rows.length < batchSize) continue;
      yield rows;
      rows = [];
    }
  } catch (error) {
    if (error instanceof InputProblem) throw error;
    cannotRead(path, error);
  } finally {
    content.destroy();
  }
  if (rows.length > 0) yield rows;
}

function cannotRead(path: string, error: unknown): never {
  throw new InputProblem(`${path} cannot be read: ${fileProblem(error) ?? 'it is damaged'}`);
}

function isObject(row: string): boolean {
  if (row.length > longestRow) return false;
  try {
    const value: unknown = JSON.parse(row);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
