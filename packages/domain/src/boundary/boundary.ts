import * as z from 'zod';
import type { Log, Observer } from '../core/log.ts';
import { guarded } from './guarded.ts';
import { type ReadData, readData, readJson } from './read-json.ts';

/** Where data enters a process. Each is the value of a label of a metric, so they are few. */
export type DataSource =
  | 'changes'
  | 'jobs'
  | 'queues'
  | 'admission'
  | 'call_rate'
  | 'channel_outcomes'
  | 'delivery_slots'
  | 'marks';

/** Handlers of what arrives from outside, or of timers. */
export type HandlerName = 'changes' | 'lost_changes' | 'beat' | 'streams' | 'schedule' | 'outcomes' | 'jobs';

const anyArray = z.array(z.unknown());

/** One line in this time for each source and handler, in ms: a flood must not fill the log. All are counted. */
const lineEvery = 10_000;

/**
 * What enters a process from Redis. Data that cannot be read, and a handler that throws, lose one message: they are
 * logged and counted, and never end the process.
 */
export interface Boundary {
  /** Reads JSON text; undefined if it was rejected. */
  readJson<T>(source: DataSource, text: string, schema: z.ZodType<T>, maxBytes?: number): T | undefined;
  /** Reads a value that a driver has parsed already; undefined if it was rejected. */
  readData<T>(source: DataSource, value: unknown, schema: z.ZodType<T>): T | undefined;
  /** Reads the elements of an array. Those that cannot be read are left out. */
  readEach<T>(source: DataSource, value: unknown, schema: z.ZodType<T>): T[];
  /** Makes a handler that neither throws nor rejects. */
  guard<Parameters extends readonly unknown[]>(
    handler: HandlerName,
    handle: (...parameters: Parameters) => unknown,
  ): (...parameters: Parameters) => void;
  /** Calls a guarded handler again and again, until the timer is cleared. */
  every(everyMs: number, handler: HandlerName, handle: () => unknown): NodeJS.Timeout;
}

export function openBoundary({ log, observer = {} }: { log: Log; observer?: Observer | undefined }): Boundary {
  const lastLine = new Map<string, number>();
  /** Whether a line about this may be written now. */
  const isLogged = (about: string): boolean => {
    const now = performance.now();
    if (now < (lastLine.get(about) ?? Number.NEGATIVE_INFINITY) + lineEvery) return false;
    lastLine.set(about, now);
    return true;
  };
  const taken = <T>(source: DataSource, read: ReadData<T>): T | undefined => {
    if (read.ok) return read.value;
    observer.dataRejected?.(source, read.problem);
    if (isLogged(source))
      log.warn({ source, problem: read.problem, where: read.where }, 'data was rejected: it cannot be read');
    return undefined;
  };
  const guard: Boundary['guard'] = (handler, handle) =>
    guarded(handle, (error) => {
      observer.handlerFailed?.(handler);
      if (isLogged(handler)) log.error({ err: error, handler }, 'a handler failed: what it handled is lost');
    });
  const read = <T>(source: DataSource, value: unknown, schema: z.ZodType<T>): T | undefined =>
    taken(source, readData(value, schema));
  return {
    readJson: (source, text, schema, maxBytes) => taken(source, readJson(text, schema, maxBytes)),
    readData: read,
    readEach: (source, value, schema) =>
      (read(source, value, anyArray) ?? []).flatMap((one) => {
        const element = read(source, one, schema);
        return element === undefined ? [] : [element];
      }),
    guard,
    every: (everyMs, handler, handle) => setInterval(guard(handler, handle), everyMs),
  };
}
