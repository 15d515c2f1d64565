import { type Command, merchantOf, otherMerchantOf } from '../core/commands.ts';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import type { CommandResult } from './decide-batch.ts';

/** Another session held the merchant's wallet for too long. The command did not start, or was rolled back. */
export class MerchantHeld extends LedgerUnavailable {}

/** A command that waits for its answer. */
export interface Waiting {
  command: Command;
  merchantId: string;
  /** The other merchant whose wallet it needs: the one who is credited with money of the platform. */
  otherMerchantId: string | null;
  /** That of its merchants with whose commands it waits apart, or waited apart last. */
  heldWith: string;
  since: number;
  /** When it is given up, if its merchant is still held. */
  until: number;
  resolve: (result: CommandResult) => void;
  reject: (error: unknown) => void;
}

/** A command that has just arrived. `answered` is called once, after its answer. */
export function makeWaiting(
  command: Command,
  { resolve, reject }: Pick<Waiting, 'resolve' | 'reject'>,
  answered: () => void,
): Waiting {
  const merchantId = merchantOf(command);
  const since = performance.now();
  return {
    command,
    merchantId,
    otherMerchantId: otherMerchantOf(command),
    heldWith: merchantId,
    since,
    until: since,
    resolve: (result) => {
      resolve(result);
      answered();
    },
    reject: (error) => {
      reject(error);
      answered();
    },
  };
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

  /** The merchant with whom a command has to wait apart. */
  of({ merchantId, otherMerchantId }: Waiting): HeldMerchant | undefined {
    const held = this.#held.get(merchantId);
    return held ?? (otherMerchantId === null ? undefined : this.#held.get(otherMerchantId));
  }

  /**
   * Its wallet was locked, so the merchant no longer waits apart. Returns the commands that waited, without those that have
   * to wait with another merchant now.
   */
  free(merchantId: string): Waiting[] {
    this.#missedSince.delete(merchantId);
    const commands = this.#held.get(merchantId)?.commands ?? [];
    this.#held.delete(merchantId);
    return commands.filter((waiting) => !this.keep(waiting));
  }

  /** Keeps a command that has to wait apart. Returns false if it need not. */
  keep(waiting: Waiting): boolean {
    const held = this.of(waiting);
    if (!held) return false;
    this.keepWith(held, [waiting]);
    return true;
  }

  /** Makes these commands wait with this merchant, after those that wait already. */
  keepWith(held: HeldMerchant, commands: readonly Waiting[]): void {
    for (const waiting of commands) {
      waiting.heldWith = held.merchantId;
      held.commands.push(waiting);
    }
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
    for (const waiting of commands) waiting.heldWith = held.merchantId;
    held.commands = commands.length > 0 ? [...commands, ...held.commands] : held.commands;
    held.since ??= now;
    held.isBusy = false;
    held.triedAt = now;
    if (this.#held.size > remembered)
      for (const [merchantId, { commands: left, isBusy }] of this.#held)
        if (left.length === 0 && !isBusy) this.#held.delete(merchantId);
  }

  /**
   * Takes commands for the merchant's own transaction. A command of two merchants is only tried in common batches, which
   * never wait: here, all commands would wait for the other merchant too.
   */
  takeApart(held: HeldMerchant, atMost: number): Waiting[] {
    const taken = new Set(reachable(held).slice(0, atMost));
    if (taken.size > 0) held.commands = held.commands.filter((waiting) => !taken.has(waiting));
    return [...taken];
  }

  /** Takes one command of each merchant that may be tried in a common batch. */
  takeToTry(): Waiting[] {
    const tried = this.idle().filter((held) => !held.isAlone || reachable(held).length === 0);
    for (const held of tried) held.isBusy = true;
    return tried.flatMap(({ commands }) => commands.splice(0, 1));
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

  /** Refuses a command of two merchants that needs a row which another session holds: neither merchant waits for it. */
  refuse({ heldWith, reject }: Waiting): void {
    reject(new MerchantHeld('another session holds a row that the command needs: nothing was begun'));
    const held = this.#held.get(heldWith);
    if (held) this.requeue(held, [], performance.now());
  }

  /** Whether any command waits apart. */
  haveCommands(): boolean {
    for (const { commands } of this.#held.values()) if (commands.length > 0) return true;
    return false;
  }
}

/** The commands that need only the wallet of this merchant, up to its own first one that needs another one too. */
function reachable({ merchantId, commands }: HeldMerchant): Waiting[] {
  const end = commands.findIndex((waiting) => waiting.merchantId === merchantId && waiting.otherMerchantId !== null);
  return commands.slice(0, end < 0 ? commands.length : end).filter(({ otherMerchantId }) => otherMerchantId === null);
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

/** Commands by the wallets that they need, each merchant's in its order. */
export function byWallets(batch: readonly Waiting[]): Waiting[][] {
  const [ofOne, ofTwo] = [true, false].map((isOne) => batch.filter((one) => (one.otherMerchantId === null) === isOne));
  return [...byMerchant(ofOne ?? []).values(), ...(ofTwo ?? []).map((waiting) => [waiting])];
}
