import type { Waiting } from './held-merchants.ts';
import type { ReadyCommands } from './ready-commands.ts';
import type { WriterOptions } from './writer-options.ts';

/**
 * A second batch begins next to another one only with so many commands. Each transaction has a fixed cost, so fewer
 * commands cost less if they wait for the next one (ADR 0024).
 */
const enoughForSecond = 32;
/** A batch that takes longer, in ms, is not waited for: a second one begins with any number of commands. */
const slowBatchMs = 100;

/** Takes batches of ready commands and runs them, one after the other, or two at once if there are many commands. */
export class BatchRunners {
  readonly #options: WriterOptions;
  readonly #ready: ReadyCommands;
  readonly #runBatch: (batch: Waiting[]) => Promise<void>;
  readonly #enough: number;
  #runners = 0;
  #batches = 0;
  /** How many of the batches last too long. */
  #slowBatches = 0;

  /** `runBatch` must not reject. */
  constructor(options: WriterOptions, ready: ReadyCommands, runBatch: (batch: Waiting[]) => Promise<void>) {
    this.#options = options;
    this.#ready = ready;
    this.#runBatch = runBatch;
    this.#enough = Math.min(enoughForSecond, options.batchSize);
  }

  /** To be called whenever a command has become ready. */
  start(): void {
    if (this.#runners >= this.#options.batchesAtOnce || !this.#mayBegin()) return;
    this.#runners += 1;
    void this.#run();
  }

  #mayBegin(): boolean {
    const { available } = this.#ready;
    return available > 0 && (this.#batches === this.#slowBatches || available >= this.#enough);
  }

  async #run(): Promise<void> {
    for (;;) {
      // Waits for a tick of the event loop, so that commands that arrive together share a batch.
      if (this.#options.batchSize > 1) await new Promise(setImmediate);
      if (!this.#mayBegin()) break;
      await this.#runNext();
    }
    this.#runners -= 1;
  }

  async #runNext(): Promise<void> {
    const batch = this.#ready.take(this.#options.batchSize);
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.#slowBatches += 1;
      this.start();
    }, slowBatchMs);
    this.#batches += 1;
    // Those that did not fit may be enough for a second batch.
    this.start();
    try {
      await this.#runBatch(batch);
    } finally {
      clearTimeout(timer);
      this.#batches -= 1;
      if (isSlow) this.#slowBatches -= 1;
      this.#ready.end(batch);
    }
  }
}
