import { MessageChannel, type MessagePort } from 'node:worker_threads';
import {
  guarded,
  type StatementFormat,
  StatementNotRead,
  type StatementOptions,
  type StatementRow,
  StatementUnreadable,
} from '@tidegate/domain/reconciliation';
import { isOutOfMemory, openThreads } from '@tidegate/domain/threads';
import { importableFormats } from '../importable-formats.ts';
import type { ReadingEnd, ReadingReply, ReadingRequest, ReadingTask } from './messages.ts';
import { openThreadClock, type ReadingTime, TooSlow } from './thread-clock.ts';

/** What reading one statement may cost. A file that needs more is refused. */
export interface ReadingCost extends ReadingTime {
  /** Memory of the thread for objects, in MiB. */
  heapMb: number;
  /** How many files are read at the same time. */
  threads: number;
}

export const readingCost: ReadingCost = { ms: 20_000, msPerMib: 1_000, heapMb: 192, threads: 2 };

/** For previews in a process that has other work to do. A file that needs more is not previewed. */
export const previewCost: ReadingCost = { ...readingCost, msPerMib: 0, threads: 1 };

export interface StatementThreads {
  /** All formats by the name under which a statement is imported. Each reads in a thread. */
  formats: Readonly<Record<string, StatementFormat>>;
  /** Ends the threads. Files that are being read can be read later, in another process. */
  close(): Promise<void>;
}

type NamedFormats = Readonly<Record<string, Pick<StatementFormat, 'name' | 'version' | 'recognises'>>>;

/**
 * Threads that read statements. A file comes from a bank or from an operator's disk, and some files take long: in the main thread they would delay all
 * other work of the process, health checks too.
 *
 * A file is refused with StatementUnreadable (`too_costly`) if it takes more time or memory than `cost`. StatementNotRead says that the reason is not
 * the file. `file` is the code of a thread.
 */
export function openStatementThreads(
  cost: ReadingCost = readingCost,
  named: NamedFormats = importableFormats,
  file = new URL('./statement-thread.ts', import.meta.url),
): StatementThreads {
  const { run, close } = openThreads<ReadingTask, ReadingEnd>({
    name: 'the threads that read statements',
    file,
    most: cost.threads,
    heapMb: cost.heapMb,
    idleMs: 15_000,
  });
  let isClosed = false;
  const begin: Begin = (task, signal) => run(task, { signal, transferred: [task.port] });
  const formats = Object.entries(named).map(([format, { name, version, recognises }]): [string, StatementFormat] => [
    format,
    {
      name,
      version,
      // A look at the first bytes needs no thread.
      recognises,
      read: (bytes, options) => readInThread({ format, bytes, options }, { begin, cost, isClosed: () => isClosed }),
    },
  ]);
  return {
    formats: Object.fromEntries(formats),
    close: () => {
      isClosed = true;
      return close();
    },
  };
}

type Begin = (task: ReadingTask, signal: AbortSignal) => Promise<ReadingEnd>;

interface Reading {
  format: string;
  bytes: AsyncIterable<Uint8Array>;
  options: StatementOptions;
}

async function* readInThread(
  { format, bytes, options }: Reading,
  { begin, cost, isClosed }: { begin: Begin; cost: ReadingCost; isClosed: () => boolean },
): AsyncGenerator<StatementRow> {
  const { port1: port, port2 } = new MessageChannel();
  const ending = new AbortController();
  const end = begin({ format, options, port: port2 }, ending.signal);
  const requests = openRequests(port, end);
  const clock = openThreadClock(cost, (reason) => ending.abort(reason));
  const source = bytes[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      clock.start();
      const request = await requests.next();
      clock.stop();
      if (request === null) break;
      if (request.kind === 'begin') clock.begin();
      if (request.kind === 'rows') yield* request.rows;
      if (request.kind === 'bytes') {
        const { done, value } = await source.next();
        if (!done) clock.add(value.length);
        reply(port, { kind: 'bytes', bytes: done ? null : value });
      } else reply(port, { kind: 'go' });
    }
    isOver = true;
    const how = await end.catch((error) => {
      throw causeOf(error, cost, clock.hasBegun() && !isClosed());
    });
    if (how.ended === 'unreadable') throw new StatementUnreadable(how.reason, how.detail, how.lineNo);
  } finally {
    clock.stop();
    if (!isOver) await stop(port, end, ending);
    port.close();
    await source.return?.();
  }
}

/** The requests of a thread; null once its task has ended, well or not. */
function openRequests(port: MessagePort, end: Promise<ReadingEnd>): { next(): Promise<ReadingRequest | null> } {
  const arrived: (ReadingRequest | null)[] = [];
  let take: ((request: ReadingRequest | null) => void) | null = null;
  const arrive = (request: ReadingRequest | null): void => {
    if (take === null) arrived.push(request);
    else take(request);
    take = null;
  };
  const over = (): void => arrive(null);
  port.on('message', guarded(arrive, over));
  end.then(over, over);
  return {
    next: () =>
      new Promise((resolve) => {
        const next = arrived.shift();
        if (next === undefined) take = resolve;
        else resolve(next);
      }),
  };
}

/** The message gets a copy, whose memory the other thread takes over: a piece of a file may be a part of a larger memory. */
function reply(port: MessagePort, message: ReadingReply): void {
  const bytes = message.kind === 'bytes' && message.bytes !== null ? Uint8Array.from(message.bytes) : null;
  if (bytes === null) port.postMessage(message);
  else port.postMessage({ kind: 'bytes', bytes }, [bytes.buffer]);
}

/** Lets a thread give up a file whose rows are not wanted any more. If it does not, it is ended. */
async function stop(port: MessagePort, end: Promise<unknown>, ending: AbortController): Promise<void> {
  reply(port, { kind: 'stop' });
  const late = setTimeout(() => ending.abort(new StatementNotRead('the thread did not stop')), 1_000);
  await end.catch(() => undefined);
  clearTimeout(late);
}

/** What a failed task means for its file. `isAtWork`: the thread had begun, and this process did not end it. */
function causeOf(error: unknown, { heapMb }: ReadingCost, isAtWork: boolean): unknown {
  if (error instanceof TooSlow)
    return new StatementUnreadable(
      'too_costly',
      `reading it takes longer than ${error.seconds} s: divide it into smaller files`,
    );
  if (isAtWork && isOutOfMemory(error))
    return new StatementUnreadable(
      'too_costly',
      `reading it takes more than ${heapMb} MiB of memory: divide it into smaller files`,
    );
  if (isAtWork || error instanceof StatementNotRead) return error;
  return new StatementNotRead('no thread can read it now', { cause: error });
}
