import { StatementUnreadable } from '@tidegate/domain/reconciliation';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import type { Limits } from '../reading/limits.ts';

/** The file of payments is the one whose name does not have this word, which means "summary". */
const SUMMARY = '汇总';
const isUtf8 = 0x800;
const isEncrypted = 0x1;

/** The bytes of the detail file in a bill. Nothing is written to disk, and no file name is used as a path. */
export async function* unzipDetail(zip: AsyncIterable<Uint8Array>, limits: Limits): AsyncGenerator<Uint8Array> {
  const bytes = await gather(zip, limits.zipBytes);
  const file = await openZip(bytes);
  try {
    yield* unpack(file, findDetail(await readEntries(file, limits)), limits);
  } finally {
    file.close();
  }
}

async function gather(zip: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of zip) {
    length += chunk.length;
    if (length > most) throw new StatementUnreadable('too_large', `the zip file has more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function openZip(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // Names are read as bytes: they are GBK, which yauzl does not know.
    fromBuffer(bytes, { lazyEntries: true, decodeStrings: false, autoClose: false }, (error, file) => {
      if (error) reject(damaged('the zip file has no readable directory'));
      else resolve(file);
    });
  });
}

interface Found {
  name: string;
  entry: Entry;
}

function readEntries(file: ZipFile, limits: Limits): Promise<Found[]> {
  return new Promise((resolve, reject) => {
    const found: Found[] = [];
    file.on('entry', (entry: Entry) => {
      const name = nameOf(entry);
      const problem = problemOf(name, entry, limits);
      if (problem !== null) return reject(problem);
      found.push({ name, entry });
      if (found.length > limits.zipEntries) return reject(tooLarge(`more than ${limits.zipEntries} files`));
      file.readEntry();
    });
    file.on('end', () => resolve(found));
    file.on('error', () => reject(damaged('the directory of the zip file is damaged')));
    file.readEntry();
  });
}

function nameOf({ fileName, generalPurposeBitFlag }: Entry): string {
  const bytes = fileName as unknown as Buffer;
  return new TextDecoder((generalPurposeBitFlag & isUtf8) === 0 ? 'gbk' : 'utf-8').decode(bytes);
}

function problemOf(name: string, entry: Entry, limits: Limits): StatementUnreadable | null {
  if (/[/\\\0]|^\.\.?$/.test(name)) return other('a file in the zip file has a path as its name');
  if ((entry.generalPurposeBitFlag & isEncrypted) !== 0) return other('the zip file is encrypted');
  if (entry.uncompressedSize > limits.bytes) return tooLarge(`a file of more than ${limits.bytes} bytes`);
  if (entry.uncompressedSize > entry.compressedSize * limits.zipRatio + 1_024)
    return tooLarge(`a file that is more than ${limits.zipRatio} times as large as it was packed`);
  return null;
}

function findDetail(found: readonly Found[]): Entry {
  const details = found.filter(({ name }) => /\.csv$/i.test(name) && !name.includes(SUMMARY));
  const [detail, another] = details;
  if (!detail) throw other('the zip file has no CSV of payments');
  if (another) throw other('the zip file has more than one CSV of payments');
  return detail.entry;
}

/** yauzl ends with an error if the file has another size than the directory says. */
async function* unpack(file: ZipFile, entry: Entry, limits: Limits): AsyncGenerator<Uint8Array> {
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    file.openReadStream(entry, (error, opened) =>
      error ? reject(damaged('the zip file cannot be unpacked')) : resolve(opened),
    );
  });
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > limits.bytes) throw tooLarge(`a file of more than ${limits.bytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof StatementUnreadable ? error : damaged('the zip file cannot be unpacked');
  }
}

const damaged = (message: string) => new StatementUnreadable('damaged', message);
const other = (message: string) => new StatementUnreadable('other_format', message);
const tooLarge = (what: string) => new StatementUnreadable('too_large', `the zip file has ${what}`);
