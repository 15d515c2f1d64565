import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Command, merchantOf } from '../core/commands.ts';
import type { Transition } from '../core/draft.ts';
import type { Notification } from '../core/notification.ts';
import type { Order } from '../core/order.ts';
import type { MoneyCase } from '../core/payment.ts';
import { type BatchOutcome, type CommandResult, runBatch, type Surroundings } from './batch.ts';
import type { Statements } from './statements.ts';

/** The one write seam: every change to a merchant's money or orders goes through it, and nowhere else. */
export type Commit = (command: Command) => Promise<CommandResult>;

export interface SeamOptions extends Surroundings {
  pool: pg.Pool;
  sql: Statements;
  /** Transactions in flight at once; commands of one merchant always ride in the same lane. */
  lanes: number;
  /** Commands that ride in one transaction at the most; with 1 none waits for company. */
  batchSize: number;
  /** Commands that may wait in one lane; more are refused at once. */
  queueLimit: number;
  /** Told after each commit what it wrote, to wake whoever has work with it. Must not throw. */
  committed: (written: Written) => void;
  /** Told of a batch of several that failed for another reason than the connection, before its commands are tried one by one. Must not throw. */
  failed?: (error: unknown, size: number) => void;
  /** Told of every transaction, for the figures. */
  observed?: (batch: { size: number; waitedMs: number; tookMs: number }) => void;
}

/** The database cannot be reached, or is so busy that waiting makes no sense. Whether the command took effect may be unknown. */
export class SeamUnavailable extends Error {}

export interface Written {
  orders: Order[];
  notifications: Notification[];
  cases: MoneyCase[];
  transitions: Transition[];
}

interface Waiting {
  command: Command;
  since: number;
  resolve: (result: CommandResult) => void;
  reject: (error: unknown) => void;
}

const connectionRetries = [50, 200, 600];
/** A database that refuses or breaks connections is tried again for so long; one that hangs longer than this is not. */
const retryWithin = 1_000;

/**
 * Makes the seam. Requests wait in lanes, one transaction in flight per lane; whatever has arrived meanwhile rides in the next.
 * A batch that fails as a whole is retried one by one, so that one bad command cannot hurt its neighbours.
 */
export function openSeam(options: SeamOptions): { commit: Commit; drain: () => Promise<void> } {
  const lanes = Array.from({ length: options.lanes }, () => new Lane(options));
  return {
    commit: (command) => (lanes[laneOf(merchantOf(command), lanes.length)] as Lane).add(command),
    drain: async () => {
      await Promise.all(lanes.map((lane) => lane.drain()));
    },
  };
}

/** FNV-1a: spreads numbers that follow each other, and costs nothing beside a digest. */
function laneOf(merchantId: string, lanes: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < merchantId.length; i += 1) hash = Math.imul(hash ^ merchantId.charCodeAt(i), 0x01000193);
  // The low bits of FNV alone follow the last characters too closely.
  return ((hash ^ (hash >>> 15)) >>> 0) % lanes;
}

class Lane {
  readonly #options: SeamOptions;
  #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;

  constructor(options: SeamOptions) {
    this.#options = options;
  }

  add(command: Command): Promise<CommandResult> {
    if (this.#waiting.length >= this.#options.queueLimit)
      return Promise.reject(new SeamUnavailable('too many commands are waiting'));
    const done = new Promise<CommandResult>((resolve, reject) => {
      this.#waiting.push({ command, since: performance.now(), resolve, reject });
    });
    this.#running ??= this.#run();
    return done;
  }

  async drain(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // A turn of the event loop first: what arrived together, and who asks again as soon as answered, rides together.
      if (this.#options.batchSize > 1) await new Promise(setImmediate);
      const batch = this.#waiting.splice(0, this.#options.batchSize);
      await this.#settle(batch);
    }
    this.#running = null;
  }

  async #settle(batch: Waiting[]): Promise<void> {
    try {
      this.#answer(batch, await this.#attempt(batch));
    } catch (error) {
      const [only] = batch;
      if (error instanceof SeamUnavailable) {
        // Who waits behind these would wait as long again, for the same answer.
        for (const waiting of [...batch, ...this.#waiting.splice(0)]) waiting.reject(error);
      } else if (batch.length === 1 && only) only.reject(error);
      else {
        this.#options.failed?.(error, batch.length);
        for (const waiting of batch) await this.#settle([waiting]);
      }
    }
  }

  /** Runs the batch; a lost connection is tried again, since every command may come twice. */
  async #attempt(batch: Waiting[]): Promise<BatchOutcome> {
    const began = performance.now();
    for (const pause of [...connectionRetries, null]) {
      try {
        return await this.#transact(batch);
      } catch (error) {
        if (!isConnectionLoss(error)) throw error;
        if (pause === null || performance.now() - began + pause > retryWithin)
          throw new SeamUnavailable('the database cannot be reached', { cause: error });
        await sleep(pause);
      }
    }
    throw new SeamUnavailable('the database cannot be reached');
  }

  async #transact(batch: Waiting[]): Promise<BatchOutcome> {
    const client = await this.#options.pool.connect();
    const started = performance.now();
    let broken = true;
    try {
      const outcome = await runBatch(
        client,
        this.#options.sql,
        batch.map((w) => w.command),
        this.#options,
      );
      broken = false;
      const waitedMs = started - Math.min(...batch.map((w) => w.since));
      this.#options.observed?.({ size: batch.length, waitedMs, tookMs: performance.now() - started });
      return outcome;
    } catch (error) {
      broken = isConnectionLoss(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  #answer(batch: Waiting[], outcome: BatchOutcome): void {
    const { orders, added, changedCases } = outcome;
    this.#options.committed({
      orders,
      notifications: added.notifications,
      cases: [...added.cases, ...changedCases],
      transitions: added.transitions,
    });
    batch.forEach((waiting, i) => {
      waiting.resolve(outcome.results[i] as CommandResult);
    });
  }
}

/**
 * Lost or refused connections, and what a server says that stops or crashed (SQLSTATE classes 08 and 57P), has no connection left (53300), or
 * ended one of ours that had been silent within a transaction for too long (25P03).
 */
export function isConnectionLoss(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string')
    return (
      /^(08|57P|53300|25P03)/.test(code) || /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)/.test(code)
    );
  return (
    typeof message === 'string' &&
    /connection (terminated|ended|timeout)|not queryable|timeout exceeded|Query read timeout/i.test(message)
  );
}
