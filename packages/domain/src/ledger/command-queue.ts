import type { Command } from '../core/commands.ts';
import { isLockTimeout, LedgerUnavailable } from '../database/connection-loss.ts';
import { atMost } from './at-most.ts';
import { attemptBatch } from './attempt-batch.ts';
import { BatchRunners } from './batch-runners.ts';
import type { BatchOutcome, CommandResult } from './decide-batch.ts';
import {
  byWallets,
  type HeldMerchant,
  HeldMerchants,
  makeWaiting,
  refuseLate,
  type Waiting,
} from './held-merchants.ts';
import { ReadyCommands } from './ready-commands.ts';
import { refusalOf } from './refusal-of.ts';
import type { WriterOptions } from './writer-options.ts';

/**
 * How long a batch of several merchants waits for a lock when it writes, in ms. It is short, because the batch holds
 * the rows of all of them.
 */
const together = { skipHeld: true, lockMs: 100 };
/** A merchant's own transaction, and a batch after one that got no wallet, wait for their wallets. */
const patient = { skipHeld: false, lockMs: 250 };
/** A merchant whose wallet no batch has had for so long, in ms, gets its own transaction, which waits for the lock. */
const apartAfterMs = 500;
/** The most such transactions at once, for each batch at once. */
const apartAtOnce = 2;
/** How long the queue waits for a merchant's own transaction before it goes on with the others, in ms. */
const shortRoundMs = 20;
/** How often held merchants are tried again, in ms. */
const tryAgainMs = 50;

/**
 * Runs commands in batches. A merchant is in one batch at a time. A batch leaves out merchants whose wallet
 * another session holds; those wait apart and get their own transactions. So a held row delays its merchant only.
 */
export class CommandQueue {
  readonly #options: WriterOptions;
  readonly #held: HeldMerchants;
  /** No command of a merchant that waits apart, except one of each that is retried. */
  readonly #ready = new ReadyCommands();
  readonly #apartAtOnce: number;
  readonly #runners: BatchRunners;
  /** When the database last accepted a batch. */
  #committedAt = Number.NEGATIVE_INFINITY;
  #unanswered = 0;
  #underWay = 0;
  #apart = 0;
  /** The merchants of batches that could lock no wallet at all. The next batch with one of them waits for its wallets. */
  readonly #gotNothing = new Set<string>();
  #tryingAgain: NodeJS.Timeout | null = null;
  #drained: (() => void)[] = [];

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#held = new HeldMerchants(options.heldTimeoutMs ?? 1_000);
    this.#apartAtOnce = apartAtOnce * options.batchesAtOnce;
    this.#runners = new BatchRunners(options, this.#ready, (batch) => this.#runBatch(batch));
  }

  add(command: Command): Promise<CommandResult> {
    const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
    const waiting = makeWaiting(command, { resolve, reject }, () => {
      this.#unanswered -= 1;
      if (this.#unanswered === 0) for (const drained of this.#drained.splice(0)) drained();
    });
    const held = this.#held.of(waiting);
    const [limit, all] = [this.#options.queueLimit, this.#unanswered - this.#underWay];
    const ofMerchant = this.#ready.countOf(waiting.merchantId) + (held?.commands.length ?? 0);
    const refused = refusalOf(waiting, { limit, all, ofMerchant, isHeld: held !== undefined && held.since !== null });
    if (refused === 'busy') return Promise.resolve({ ok: false, rejection: 'too_many_requests' });
    if (refused === 'full') return Promise.reject(new LedgerUnavailable('too many commands are waiting'));
    waiting.until += this.#held.timeoutFor(held?.merchantId ?? waiting.merchantId, waiting.since);
    this.#unanswered += 1;
    if (held) this.#held.keep(waiting);
    else this.#ready.add(waiting);
    if (!held) this.#runners.start();
    else if (held.isBusy || this.#apart >= this.#apartAtOnce) this.#tryAgain();
    else this.#tryHeld();
    return promise;
  }

  /** Resolves when every command is answered. */
  async drain(): Promise<void> {
    while (this.#unanswered > 0) await new Promise<void>((resolve) => this.#drained.push(resolve));
  }

  async #runBatch(batch: Waiting[]): Promise<void> {
    const merchantId = batch[0]?.merchantId ?? '';
    const isOne = batch.every((one) => one.merchantId === merchantId && one.otherMerchantId === null);
    if (!isOne || this.#apart >= this.#apartAtOnce || this.#held.get(merchantId)) await this.#runTogether(batch);
    else await atMost(shortRoundMs, this.#runApart(this.#setApart(merchantId), batch));
  }

  /**
   * One transaction for several merchants, without those that another session holds. If the previous transaction of some of them got no merchant,
   * this one waits for all. Otherwise it would try again and again while another process works on the same merchants, and get only a few.
   */
  async #runTogether(batch: Waiting[]): Promise<void> {
    // A batch that tries held merchants again must not wait for them: all other merchants in it would wait too.
    const triesHeld = batch.some((waiting) => this.#held.of(waiting) !== undefined);
    const gotNothing = batch.filter(({ merchantId }) => this.#gotNothing.delete(merchantId)).length > 0;
    const locking = gotNothing && !triesHeld ? patient : together;
    this.#underWay += batch.length;
    const began = performance.now();
    try {
      const outcome = await attemptBatch(this.#options, batch, locking);
      if (!triesHeld && outcome.locked.size === 0) for (const { merchantId } of batch) this.#gotNothing.add(merchantId);
      this.#settle(batch, outcome);
    } catch (error) {
      if (error instanceof LedgerUnavailable) this.#refuse(batch, error, began);
      else await this.#runInParts(batch, error);
    } finally {
      this.#underWay -= batch.length;
    }
    this.#tryHeld();
  }

  /**
   * After a batch failed as a whole: one command after the other, so that one bad command cannot hurt its neighbours. Where a lock was not had in
   * time, one merchant after the other: the first that does not get its lock again waits apart from now on, and the rest rides together again.
   */
  async #runInParts(batch: Waiting[], cause: unknown): Promise<void> {
    let parts = isLockTimeout(cause) ? byWallets(batch) : batch.map((waiting) => [waiting]);
    if (parts.length > 1) this.#options.failed?.(cause, batch.length);
    else if (!isLockTimeout(cause)) return this.#rejectFor(batch, cause);
    for (let part = parts.shift(); part; part = parts.shift()) {
      const began = performance.now();
      const merchantId = part[0]?.merchantId ?? '';
      const isOthers = ([one]: Waiting[]): boolean => one?.merchantId !== merchantId;
      try {
        const outcome = await attemptBatch(this.#options, part, together);
        const isLeftOut = outcome.results[0] === null;
        // Later commands of the same merchant stay behind it.
        this.#settle(isLeftOut ? [...part, ...parts.filter((one) => !isOthers(one)).flat()] : part, outcome);
        if (isLeftOut) parts = parts.filter(isOthers);
      } catch (error) {
        if (error instanceof LedgerUnavailable) return this.#refuse([...part, ...parts.flat()], error, began);
        if (isLockTimeout(error) && part[0]?.otherMerchantId != null) this.#held.refuse(part[0]);
        else if (isLockTimeout(error)) {
          const held = this.#setApart(merchantId);
          held.isAlone = true;
          this.#held.requeue(held, [...part, ...parts.filter((one) => !isOthers(one)).flat()], performance.now());
          this.#requeueReady(parts.filter(isOthers).flat());
          return;
        } else if (part.length === 1) this.#rejectFor(part, error);
        else parts = [...part.map((waiting) => [waiting]), ...parts];
      }
    }
  }

  /** Puts commands back before those that came later, without those that have waited for too long. */
  #requeueReady(commands: readonly Waiting[]): void {
    const all = [...commands, ...this.#ready.takeAll()];
    const left = new Set(refuseLate(all, performance.now()));
    this.#ready.putBack([...left]);
    // The command that was tried for a held merchant has left: the merchant's next command may be tried.
    for (const waiting of all) {
      const held = left.has(waiting) ? undefined : this.#held.get(waiting.heldWith);
      if (held) held.isBusy = false;
    }
  }

  /**
   * Runs a transaction for one merchant only. It waits for the wallet if necessary, and is tried again if it could not
   * lock the wallet in time.
   */
  async #runApart(held: HeldMerchant, batch: Waiting[]): Promise<void> {
    held.isBusy = true;
    this.#apart += 1;
    this.#underWay += batch.length;
    const left = await this.#tryApart(held, batch);
    this.#underWay -= batch.length;
    this.#apart -= 1;
    if (left.length > 0) this.#held.requeue(held, left, performance.now());
    else this.#free(held.merchantId);
    this.#tryHeld();
    this.#runners.start();
  }

  /** Returns the commands that did not get their lock in time. */
  async #tryApart(held: HeldMerchant, batch: Waiting[]): Promise<Waiting[]> {
    const parts = [batch];
    for (let part = parts.shift(); part; part = parts.shift()) {
      try {
        this.#answer(part, await attemptBatch(this.#options, part, patient));
      } catch (error) {
        if (isLockTimeout(error)) return [...part, ...parts.flat()];
        if (error instanceof LedgerUnavailable) {
          for (const { reject } of [...part, ...parts.flat(), ...held.commands.splice(0)]) reject(error);
          return [];
        }
        if (part.length === 1) part[0]?.reject(error);
        else {
          this.#options.failed?.(error, part.length);
          parts.push(...part.map((waiting) => [waiting]));
        }
      }
    }
    return [];
  }

  /** Answers the commands that are done, and queues again those that were skipped. */
  #settle(batch: Waiting[], outcome: BatchOutcome): void {
    this.#answer(batch, outcome);
    // If the merchant's own transaction is under way, that decides.
    const isBusy = (merchantId: string): boolean =>
      this.#held.get(merchantId)?.isBusy === true && batch.every(({ heldWith }) => heldWith !== merchantId);
    if (this.#held.areAny()) for (const merchantId of outcome.locked) if (!isBusy(merchantId)) this.#free(merchantId);
    const left = batch.filter((_, i) => (outcome.results[i] ?? null) === null);
    if (left.length > 0) this.#requeue(left, outcome.locked);
  }

  /** Queues commands again that a batch has left out, because it could not lock a wallet that they need. */
  #requeue(left: Waiting[], locked: ReadonlySet<string>): void {
    const now = performance.now();
    const missing = ({ merchantId, otherMerchantId }: Waiting): string =>
      otherMerchantId !== null && locked.has(merchantId) && !locked.has(otherMerchantId) ? otherMerchantId : merchantId;
    const back: Waiting[] = [];
    for (const [merchantId, its] of Map.groupBy(left, missing)) {
      const held = this.#held.get(merchantId);
      if (!held && this.#held.miss(merchantId, now) < apartAfterMs) back.push(...its);
      // Its own transaction is under way, and these commands were not in it.
      else if (held?.isBusy && its.every(({ heldWith }) => heldWith !== merchantId)) this.#held.keepWith(held, its);
      else this.#held.requeue(this.#setApart(merchantId), its, now);
    }
    this.#ready.putBack(back);
  }

  #answer(batch: Waiting[], { results, written, events }: BatchOutcome): void {
    const orders = [...written.newOrders, ...written.changedOrders];
    this.#committedAt = performance.now();
    if (results.some((result) => result !== null)) this.#options.committed({ orders, events });
    for (const [i, result] of results.entries()) if (result !== null) batch[i]?.resolve(result);
  }

  #rejectFor(batch: Waiting[], error: unknown): void {
    for (const { heldWith, reject } of batch) {
      reject(error);
      this.#free(heldWith);
    }
  }

  /**
   * Refuses these commands, because the database is unavailable, and all that wait for a batch: they would wait as
   * long again for the same answer. But if another batch was committed since, only this connection failed.
   */
  #refuse(commands: Waiting[], error: LedgerUnavailable, began: number): void {
    const others = this.#committedAt >= began ? [] : this.#ready.takeAll();
    for (const { heldWith, reject } of [...commands, ...others]) {
      reject(error);
      this.#free(heldWith);
    }
  }

  /** Makes all commands of a merchant wait separately from now on, also those that are in the queue. */
  #setApart(merchantId: string): HeldMerchant {
    const known = this.#held.get(merchantId);
    if (known) return known;
    const held = this.#held.add(merchantId);
    this.#gotNothing.delete(merchantId);
    this.#held.keepWith(held, this.#ready.takeOf(merchantId));
    return held;
  }

  /** The wallet of the merchant could be locked, so its commands join the common batches again. */
  #free(merchantId: string): void {
    this.#ready.putBack(this.#held.free(merchantId));
  }

  /** Gives held merchants their own transactions, up to the limit, and retries them regularly. */
  #tryHeld(): void {
    this.#held.refuseLate(performance.now());
    for (const held of this.#held.idle()) {
      if (this.#apart >= this.#apartAtOnce) break;
      const batch = this.#held.takeApart(held, this.#options.batchSize);
      if (batch.length > 0) void this.#runApart(held, batch);
    }
    this.#tryAgain();
  }

  #tryAgain(): void {
    if (this.#tryingAgain || !this.#held.haveCommands()) return;
    this.#tryingAgain = setTimeout(() => {
      this.#tryingAgain = null;
      this.#tryHeld();
      // Of each merchant without its own transaction, one command joins the common batch: its wallet may be free by
      // now.
      this.#ready.putBack(this.#held.takeToTry());
      this.#runners.start();
    }, tryAgainMs);
  }
}
