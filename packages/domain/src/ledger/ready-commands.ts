import type { Waiting } from './held-merchants.ts';

/**
 * Commands that wait for the next batch, in the order of their arrival. While a merchant is in a batch, its later commands
 * have to wait: in two transactions at once they would wait for each other's locks, and their order would be lost.
 */
export class ReadyCommands {
  #commands: Waiting[] = [];
  readonly #merchantsInBatches = new Set<string>();
  /** The number of commands that have to wait, because a batch has their merchant. */
  #blocked = 0;

  /** The number of commands that a batch can have now. */
  get available(): number {
    return this.#commands.length - this.#blocked;
  }

  add(waiting: Waiting): void {
    this.#commands.push(waiting);
    if (this.#merchantsInBatches.has(waiting.merchantId)) this.#blocked += 1;
  }

  /**
   * Puts commands before those that came later. Those that came earlier stay before them: otherwise a merchant with many
   * commands would always be first.
   */
  putBack(commands: readonly Waiting[]): void {
    if (commands.length > 0) this.#replace([...commands, ...this.#commands].sort((a, b) => a.since - b.since));
  }

  /** Takes commands for a batch. Until `end`, no other batch gets commands of these merchants. */
  take(atMost: number): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    for (const waiting of this.#commands) {
      const isTaken = batch.length < atMost && !this.#merchantsInBatches.has(waiting.merchantId);
      (isTaken ? batch : left).push(waiting);
    }
    for (const { merchantId } of batch) this.#merchantsInBatches.add(merchantId);
    this.#replace(left);
    return batch;
  }

  /** The batch is done. Another batch can have the later commands of its merchants. */
  end(batch: readonly Waiting[]): void {
    for (const { merchantId } of batch) this.#merchantsInBatches.delete(merchantId);
    this.#count();
  }

  /** Removes and returns all commands of a merchant. */
  takeOf(merchantId: string): Waiting[] {
    const its = this.#commands.filter((waiting) => waiting.merchantId === merchantId);
    if (its.length > 0) this.#replace(this.#commands.filter((waiting) => waiting.merchantId !== merchantId));
    return its;
  }

  /** Removes and returns all commands. */
  takeAll(): Waiting[] {
    const all = this.#commands;
    this.#replace([]);
    return all;
  }

  #replace(commands: Waiting[]): void {
    this.#commands = commands;
    this.#count();
  }

  #count(): void {
    const inBatches = this.#merchantsInBatches;
    this.#blocked =
      inBatches.size === 0 ? 0 : this.#commands.filter(({ merchantId }) => inBatches.has(merchantId)).length;
  }
}
