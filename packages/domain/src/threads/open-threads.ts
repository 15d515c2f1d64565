import { fileURLToPath } from 'node:url';
import type { Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';

export interface ThreadsOptions {
  /** What the threads do, for messages: `the threads that read statements`. */
  name: string;
  /** The code of a thread. Its default export is called with a task, and resolves to the answer. */
  file: URL;
  most: number;
  /** The memory of a thread for objects, in MiB. */
  heapMb: number;
  /** How long a thread waits for the next task, in ms. */
  idleMs: number;
}

/** Threads that do one kind of work, so that it delays nothing else in this process. */
export interface Threads<Task, Answer> {
  /**
   * Lets a thread do a task. Rejects if it cannot start, fails, ends, needs too much memory (`isOutOfMemory`), or `signal` aborts: a thread with an
   * aborted task is ended.
   */
  run(task: Task, options?: { signal?: AbortSignal; transferred?: readonly Transferable[] }): Promise<Answer>;
  /** How many threads exist now. */
  count(): number;
  /** Ends the threads. Tasks that are under way fail, and later ones too. */
  close(): Promise<void>;
}

/** Opens threads. The first task starts one; none starts before. */
export function openThreads<Task, Answer>({ name, file, most, heapMb, idleMs }: ThreadsOptions): Threads<Task, Answer> {
  const threads = new Piscina<Task, Answer>({
    filename: fileURLToPath(file),
    minThreads: 0,
    maxThreads: most,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    // A thread that waits must still read its connections and messages.
    atomics: 'disabled',
    recordTiming: false,
  });
  let failed = new AbortController();
  // If a thread ends before it has a task, the task would wait forever.
  threads.on('error', (error) => {
    const before = failed;
    failed = new AbortController();
    before.abort(error);
  });
  let isClosed = false;
  return {
    run: async (task, options = {}) => {
      if (isClosed) throw new Error(`${name} are closed`);
      const signal = AbortSignal.any(options.signal ? [failed.signal, options.signal] : [failed.signal]);
      const transferList = [...(options.transferred ?? [])];
      return threads.run(task, { signal, transferList }).catch((error) => {
        throw signal.aborted ? signal.reason : error;
      });
    },
    count: () => threads.threads.length,
    close: () => {
      isClosed = true;
      return threads.destroy();
    },
  };
}

/** Whether a task failed because its thread needed more memory than `heapMb`. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
