import { byMerchant, type Waiting } from './held-merchants.ts';

/**
 * Commands that wait for the next batch. The merchants have turns: a batch has one command of each merchant, then a
 * second one of each, and so on. So a merchant with thousands of commands delays the others by one command for each of
 * theirs. The commands of a merchant keep the order of their arrival.
 *
 * A merchant is in one batch at a time: in two transactions at once its commands would wait for each other's locks, and
 * their order would be lost. A command of two merchants needs both. While a batch has one of them, no later command
 * of the other may go first, or the command could wait forever.
 */
export class ReadyCommands {
  /** The commands of each merchant that has any, the one whose turn is next first. */
  #turns = new Map<string, Waiting[]>();
  readonly #merchantsInBatches = new Set<string>();
  /** The merchants that a command of two merchants waits for. No other command of theirs goes first. */
  readonly #promised = new Map<string, Waiting>();
  #size = 0;
  /** The number of commands that have to wait, because a batch has their merchant. */
  #blocked = 0;
  /** The number of commands of two merchants. They are rare. */
  #pairs = 0;

  /** The number of commands. */
  get size(): number {
    return this.#size;
  }

  /** The number of commands that a batch can have now. It is exact where it is 0, and otherwise may be too large. */
  get available(): number {
    const available = this.#size - this.#blocked;
    if (this.#pairs === 0 || available === 0) return available;
    for (const [merchantId, [first]] of this.#turns) if (first && this.#mayGo(merchantId, first)) return available;
    return 0;
  }

  /** The number of commands of this merchant. */
  countOf(merchantId: string): number {
    return this.#turns.get(merchantId)?.length ?? 0;
  }

  add(waiting: Waiting): void {
    const its = this.#turns.get(waiting.merchantId);
    if (its) its.push(waiting);
    else this.#turns.set(waiting.merchantId, [waiting]);
    this.#count(waiting, 1);
  }

  /** Puts commands back before those of their merchants that came later. */
  putBack(commands: readonly Waiting[]): void {
    for (const [merchantId, its] of byMerchant(commands)) {
      this.#turns.set(merchantId, [...its, ...(this.#turns.get(merchantId) ?? [])].sort(bySince));
      for (const waiting of its) this.#count(waiting, 1);
    }
  }

  /** Takes commands for a batch. Until `end`, no other batch gets commands of these merchants. */
  take(atMost: number): Waiting[] {
    const batch: Waiting[] = [];
    const turns = [...this.#turns.keys()].filter((merchantId) => !this.#merchantsInBatches.has(merchantId));
    const inBatch = new Set<string>();
    for (let round = turns; round.length > 0 && batch.length < atMost; )
      round = round.filter((merchantId) => batch.length < atMost && this.#takeFirst(merchantId, inBatch, batch));
    for (const merchantId of inBatch) {
      this.#merchantsInBatches.add(merchantId);
      const its = this.#turns.get(merchantId);
      if (!its) continue;
      // Those that had a turn come after those that had none.
      this.#turns.delete(merchantId);
      if (its.length > 0) this.#turns.set(merchantId, its);
      this.#blocked += its.length;
    }
    return batch;
  }

  /** The batch is done. Another batch can have the later commands of its merchants. */
  end(batch: readonly Waiting[]): void {
    for (const { merchantId, otherMerchantId } of batch) {
      this.#leaveBatch(merchantId);
      if (otherMerchantId !== null) this.#leaveBatch(otherMerchantId);
    }
  }

  /** Removes and returns all commands that need the wallet of a merchant, in the order of their arrival. */
  takeOf(merchantId: string): Waiting[] {
    const its = this.#turns.get(merchantId) ?? [];
    this.#turns.delete(merchantId);
    for (const waiting of its) this.#count(waiting, -1);
    const others = this.#pairs === 0 ? [] : this.#all().filter((waiting) => waiting.otherMerchantId === merchantId);
    for (const waiting of others) this.#remove(waiting);
    return others.length === 0 ? its : [...its, ...others].sort(bySince);
  }

  /** Removes and returns all commands, in the order of their arrival. */
  takeAll(): Waiting[] {
    const all = this.#all().sort(bySince);
    this.#turns.clear();
    this.#promised.clear();
    this.#size = 0;
    this.#blocked = 0;
    this.#pairs = 0;
    return all;
  }

  #all(): Waiting[] {
    return [...this.#turns.values()].flat();
  }

  /** Moves the merchant's first command into the batch. Returns whether the merchant may have another turn in this batch. */
  #takeFirst(merchantId: string, inBatch: Set<string>, batch: Waiting[]): boolean {
    const its = this.#turns.get(merchantId);
    const first = its?.[0];
    if (!its || !first) return false;
    if (!this.#mayGo(merchantId, first)) {
      this.#promise(first);
      return false;
    }
    its.shift();
    this.#count(first, -1);
    batch.push(first);
    inBatch.add(merchantId);
    if (first.otherMerchantId !== null) inBatch.add(first.otherMerchantId);
    return its.length > 0;
  }

  /** Whether a batch can have the first command of the merchant now. */
  #mayGo(merchantId: string, first: Waiting): boolean {
    const { otherMerchantId } = first;
    if (this.#merchantsInBatches.has(merchantId)) return false;
    if (otherMerchantId !== null && this.#merchantsInBatches.has(otherMerchantId)) return false;
    return this.#promised.size === 0 || this.#isPromisedToNoOther(first);
  }

  #isPromisedToNoOther(waiting: Waiting): boolean {
    return merchantsOf(waiting).every((merchantId) => (this.#promised.get(merchantId) ?? waiting) === waiting);
  }

  /** Lets no other command of its merchants go before this command of two merchants. */
  #promise(waiting: Waiting): void {
    if (waiting.otherMerchantId === null || !this.#isPromisedToNoOther(waiting)) return;
    for (const merchantId of merchantsOf(waiting)) this.#promised.set(merchantId, waiting);
  }

  #leaveBatch(merchantId: string): void {
    if (this.#merchantsInBatches.delete(merchantId)) this.#blocked -= this.countOf(merchantId);
  }

  #remove(waiting: Waiting): void {
    const { merchantId } = waiting;
    const left = this.#turns.get(merchantId)?.filter((one) => one !== waiting) ?? [];
    if (left.length > 0) this.#turns.set(merchantId, left);
    else this.#turns.delete(merchantId);
    this.#count(waiting, -1);
  }

  /** Counts a command that came or left. */
  #count(waiting: Waiting, change: 1 | -1): void {
    this.#size += change;
    if (this.#merchantsInBatches.has(waiting.merchantId)) this.#blocked += change;
    if (waiting.otherMerchantId === null) return;
    this.#pairs += change;
    if (change === 1) return;
    for (const merchantId of merchantsOf(waiting))
      if (this.#promised.get(merchantId) === waiting) this.#promised.delete(merchantId);
  }
}

const bySince = (a: Waiting, b: Waiting): number => a.since - b.since;

/** The merchants whose wallets the command needs. */
export function merchantsOf({ merchantId, otherMerchantId }: Waiting): string[] {
  return otherMerchantId === null ? [merchantId] : [merchantId, otherMerchantId];
}
