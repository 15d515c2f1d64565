import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Country, countries } from '@tidegate/domain';
import { type FormatAccess, proposeFormats } from '@tidegate/domain/lists';
import { startOfFile } from '@tidegate/domain/operators';
import { InvalidArgumentError } from 'commander';
import { matching } from '../line/fields.ts';
import { fileProblem } from '../line/file-problem.ts';

// What commands about files of statements share.

export const readFormat = matching(/^[a-z0-9.:-]{2,64}$/, 'a format');

export function readCountry(text: string): Country {
  const found = countries.find((one) => one === text.toUpperCase());
  if (found) return found;
  throw new InvalidArgumentError(`Expected one of ${countries.join(', ')}.`);
}

/** Formats that a file can have, in words for an operator, and the only one. */
export async function proposalsFor(domain: FormatAccess, file: string): Promise<{ only: string | null; text: string }> {
  const formats = await proposeFormats(domain, await startOf(file));
  const [only = null] = formats.length === 1 ? formats : [];
  if (formats.length > 0) return { only, text: `By its first bytes it can be ${formats.join(' or ')}` };
  return { only: null, text: 'By its first bytes it has no format that is known here' };
}

async function startOf(file: string): Promise<Uint8Array> {
  const opened = await open(file);
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(startOfFile), 0, startOfFile, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await opened.close();
  }
}

/** Uses a file. What is wrong with it if it cannot be read. */
export async function withFile<T>(use: () => Promise<T>): Promise<T | string> {
  try {
    return await use();
  } catch (error) {
    const problem = fileProblem(error);
    if (problem !== null) return problem;
    throw error;
  }
}

export const bytesOf = (file: string): AsyncIterable<Uint8Array> => createReadStream(file);

/** A file of this machine, for a preview. It was not uploaded, so there is nothing to compare its bytes with. */
export const contentOf = (file: string) => ({ bytes: () => bytesOf(file), isWhole: async () => true });
