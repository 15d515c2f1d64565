import { monitorEventLoopDelay } from 'node:perf_hooks';
import { StatementNotRead, type StatementOptions, type StatementRow } from '@tidegate/domain/reconciliation';
import { afterAll, expect, test } from 'vitest';
import { importableFormats } from '../importable-formats.ts';
import { costlyFormats } from '../testing/costly-thread.ts';
import { inPieces, readAll } from '../testing/read-all.ts';
import { reconItem, reconPage } from '../testing/recon.ts';
import { openStatementThreads, readingCost } from './statement-threads.ts';

const options: StatementOptions = { currency: 'INR', timeZone: 'Asia/Kolkata' };
const opened: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(opened.map(({ close }) => close())));

function open(cost = readingCost) {
  const formats = { ...importableFormats, ...costlyFormats };
  const threads = openStatementThreads(cost, formats, new URL('../testing/costly-thread.ts', import.meta.url));
  opened.push(threads);
  const read = (format: string, content: string | AsyncIterable<Uint8Array>) => {
    const reader = threads.formats[format];
    if (!reader) throw new Error(`no format ${format}`);
    return readAll(reader, content, options);
  };
  return { ...threads, read };
}
const threads = open();

test('a thread reads the same rows as this thread, in every format', async () => {
  expect(Object.keys(threads.formats)).toEqual(expect.arrayContaining(Object.keys(importableFormats)));
  const files: [string, string][] = [
    ['razorpay-recon', reconPage(Array.from({ length: 1_000 }, (_, i) => ({ ...reconItem, entity_id: `pay_${i}` })))],
    ['mt940', ':20:X\n:25:1\n:60F:C261101INR0,\n:61:261101C1,50NTRFX\n:62F:C261130INR1,50\n-\n'],
    ['bai2', '01,A,B,261102,0600,1,,,2/\n02,B,A,1,261101,,USD,2/'],
  ];
  for (const [name, content] of files) {
    const here = await readAll(importableFormats[name] ?? costlyFormats.broken, content, options).catch(String);
    expect(await threads.read(name, content).catch(String), name).toEqual(here);
  }
  expect((await threads.read('razorpay-recon', files[0]?.[1] ?? '')).lines).toHaveLength(1_000);
});

test('an unreadable file is refused with its reason and row', async () => {
  await expect(threads.read('mt940', 'nothing')).rejects.toMatchObject({ reason: 'other_format' });
  const page = `${reconPage([reconItem])}]`;
  await expect(threads.read('razorpay-recon', page)).rejects.toMatchObject({
    name: 'StatementUnreadable',
    reason: 'other_format',
    message: 'not a JSON object',
  });
});

test('a file that takes too long is refused and says so, and this thread is free meanwhile', async () => {
  const { read } = open({ ...readingCost, ms: 1_500, msPerMib: 0 });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await expect(read('endless', 'x')).rejects.toMatchObject({
    name: 'StatementUnreadable',
    reason: 'too_costly',
    message: 'reading it takes longer than 2 s: divide it into smaller files',
  });
  delay.disable();
  expect(delay.max / 1e6).toBeLessThan(1_000);
  expect((await read('razorpay-recon', reconPage([reconItem]))).lines).toHaveLength(1);
});

test('a larger file may take longer, and the time of the receiver does not count', async () => {
  const { formats } = open({ ...readingCost, ms: 2_000, msPerMib: 0 });
  const rows: StatementRow[] = [];
  const page = reconPage(Array.from({ length: 900 }, () => reconItem));
  const reader = formats['razorpay-recon'] ?? costlyFormats.broken;
  for await (const row of reader.read(inPieces(Buffer.from(page)), options)) {
    rows.push(row);
    if (rows.length % 300 === 0) await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  expect(rows.length).toBeGreaterThanOrEqual(900);
});

test('a file that needs too much memory is refused and says so, and the next file is read', async () => {
  const { read } = open({ ...readingCost, heapMb: 32 });
  await expect(read('hoarding', 'x')).rejects.toMatchObject({
    name: 'StatementUnreadable',
    reason: 'too_costly',
    message: 'reading it takes more than 32 MiB of memory: divide it into smaller files',
  });
  expect((await read('razorpay-recon', reconPage([reconItem]))).lines).toHaveLength(1);
});

test('a mistake in a format is its own error, and the same thread reads the next file', async () => {
  await expect(threads.read('broken', 'x')).rejects.toThrow('a mistake in a format');
  expect((await threads.read('razorpay-recon', reconPage([reconItem]))).lines).toHaveLength(1);
});

test('an error of the source is passed on', async () => {
  async function* source() {
    yield Buffer.from('{"items":[');
    throw new Error('the database is unavailable');
  }
  await expect(threads.read('razorpay-recon', source())).rejects.toThrow('the database is unavailable');
});

test('a reader that stops early ends the source, and the thread goes on with others', async () => {
  let isEnded = false;
  async function* source() {
    try {
      yield Buffer.from(reconPage(Array.from({ length: 500 }, () => reconItem)));
      for (;;) yield Buffer.from(' ');
    } finally {
      isEnded = true;
    }
  }
  for await (const row of (threads.formats['razorpay-recon'] ?? costlyFormats.broken).read(source(), options)) {
    expect(row.kind).toBe('line');
    break;
  }
  expect(isEnded).toBe(true);
  expect((await threads.read('razorpay-recon', reconPage([reconItem]))).lines).toHaveLength(1);
});

test('a thread that cannot start, and closed threads, say that the file can be read later', async () => {
  const missing = openStatementThreads(readingCost, importableFormats, new URL('./missing.ts', import.meta.url));
  opened.push(missing);
  const reader = missing.formats.mt940 ?? costlyFormats.broken;
  await expect(readAll(reader, 'x', options)).rejects.toThrow(StatementNotRead);
  const closed = open();
  const reading = closed.read('endless', 'x');
  const failed = expect(reading).rejects.toThrow(StatementNotRead);
  await closed.close();
  await failed;
  await expect(closed.read('mt940', 'x')).rejects.toThrow(StatementNotRead);
});
