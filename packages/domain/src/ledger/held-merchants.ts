import type { Command } from '../core/commands.ts';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import type { CommandResult } from './decide-batch.ts';

/** Another session held the merchant's wallet for too long. The command did not start, or was rolled back. */
export class MerchantHeld extends LedgerUnavailable {}

/** A command that waits for its answer. */
export interface Waiting {
  command: Command;
  merchantId: string;
  since: number;
  /** When it is given up, if its merchant is still held. */
  until: number;
  resolve: (result: CommandResult) => void;
  reject: (error: unknown) => void;
}

/**
 * A merchant whose commands wait apart: it has a transaction of its own in flight, or another session holds its
 * wallet.
 */
export interface HeldMerchant {
  readonly merchantId: string;
  /** In the order of their arrival, after those in flight. */
  commands: Waiting[];
  /** Some of its commands are under way. */
  isBusy: boolean;
  /** Since when another session holds the merchant's wallet; null if that was not observed. */
  since: number | null;
  /** The lock of the merchant failed only when the batch was written. Such a batch fails as a whole, so the merchant gets its own transaction. */
  isAlone: boolean;
  /** When the merchant's commands were tried last. */
  triedAt: number;
}

/**
 * The most held merchants that are stored without any command, so that the wait of their next command does not begin
 * again at zero.
 */
const remembered = 1_000;

/** The merchants whose commands wait apart. */
export class HeldMerchants {
  readonly #held = new Map<string, HeldMerchant>();
  /** The time since which no batch could lock the wallet of a merchant, by merchant. */
  readonly #missedSince = new Map<string, number>();
  readonly #timeoutMs: number;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  get(merchantId: string): HeldMerchant | undefined {
    return this.#held.get(merchantId);
  }

  /** Makes the commands of a merchant wait separately, if they do not already. */
  add(merchantId: string): HeldMerchant {
    const held = this.#held.get(merchantId) ?? {
      merchantId,
      commands: [],
      isBusy: false,
      since: null,
      isAlone: false,
      triedAt: 0,
    };
    this.#held.set(merchantId, held);
    return held;
  }

  /** Its wallet was locked, so the merchant no longer waits apart. Returns the commands that waited. */
  free(merchantId: string): Waiting[] {
    this.#missedSince.delete(merchantId);
    const commands = this.#held.get(merchantId)?.commands ?? [];
    this.#held.delete(merchantId);
    return commands;
  }

  /**
   * Records that a batch could not lock the wallet of the merchant. Returns for how long no batch could lock it, in ms.
   */
  miss(merchantId: string, now: number): number {
    const since = this.#missedSince.get(merchantId) ?? now;
    this.#missedSince.set(merchantId, since);
    return now - since;
  }

  /** Whether any merchant waits separately, or was skipped by a batch. */
  areAny(): boolean {
    return this.#held.size + this.#missedSince.size > 0;
  }

  /** How long a command of the merchant may wait for its wallet, in ms; less where it is known to be held for long. */
  timeoutFor(merchantId: string, now: number): number {
    const since = this.#held.get(merchantId)?.since ?? now;
    return now - since > this.#timeoutMs ? this.#timeoutMs / 4 : this.#timeoutMs;
  }

  /** Puts commands back before those that came later. */
  requeue(held: HeldMerchant, commands: Waiting[], now: number): void {
    held.commands = commands.length > 0 ? [...commands, ...held.commands] : held.commands;
    held.since ??= now;
    held.isBusy = false;
    held.triedAt = now;
    if (this.#held.size > remembered)
      for (const [merchantId, { commands: left, isBusy }] of this.#held)
        if (left.length === 0 && !isBusy) this.#held.delete(merchantId);
  }

  /** The merchants that wait and may be tried, the one that was tried longest ago first. */
  idle(): HeldMerchant[] {
    return [...this.#held.values()]
      .filter((held) => !held.isBusy && held.commands.length > 0)
      .sort((a, b) => a.triedAt - b.triedAt);
  }

  /** Refuses the commands that have waited for too long. */
  refuseLate(now: number): void {
    for (const held of this.#held.values()) {
      if (held.since === null || held.commands.every(({ until }) => until > now)) continue;
      held.commands = refuseLate(held.commands, now);
    }
  }

  /** Whether any command waits apart. */
  haveCommands(): boolean {
    for (const { commands } of this.#held.values()) if (commands.length > 0) return true;
    return false;
  }
}

/** Commands by their merchant, each in its order. */
export function byMerchant(commands: readonly Waiting[]): Map<string, Waiting[]> {
  return Map.groupBy(commands, ({ merchantId }) => merchantId);
}

/**
 * Refuses the commands that have waited for too long, and returns the others. If a whole table is locked, every
 * merchant waits.
 */
export function refuseLate(commands: readonly Waiting[], now: number): Waiting[] {
  for (const { until, reject } of commands)
    if (until <= now) reject(new MerchantHeld('another session holds the wallet of the merchant: nothing was begun'));
  return commands.filter(({ until }) => until > now);
}
