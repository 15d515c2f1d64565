import { randomUUID } from 'node:crypto';
import type { ChannelMemory } from '@tidegate/domain/channels';
import { readStored, storedText, storedTime } from '../provider/stored.ts';

// Opn has no idempotency key. So an attempt to send a create or a refund is stored before it is sent. Attempts are
// numbered, and each number is claimed by exactly one process.

const noEffect = 'no effect';
const refused = 'refused ';
const endOfAttempt = storedText.regex(/^(no effect|refused .*)$/s);

/** How many attempts there can be for one order or refund. */
const maxAttempts = 20;

export interface Attempt {
  /** Only after this attempt is proved to have had no effect: the next one may begin at once. */
  hadNoEffect(): Promise<void>;
  /** The provider refused it. Every later attempt gets the same refusal. */
  wasRefused(reason: string): Promise<void>;
}

export type Permission =
  | { kind: 'ours'; attempt: Attempt }
  | { kind: 'refused'; reason: string }
  /**
   * The outcome of another attempt is unknown. Call `next` only after a search found nothing, and if that attempt is
   * old enough.
   */
  | { kind: 'pending'; startedAt: number; next: number };

/** Claims the attempt `from`, or the first free one after it. `about`: as for `ChannelMemory.remember`. */
export async function takeAttempt(
  { memory, about }: { memory: ChannelMemory; about?: 'order' },
  subject: string,
  from = 1,
): Promise<Permission> {
  for (let number = from; number <= maxAttempts; number++) {
    const mine = `${Date.now()} ${randomUUID()}`;
    const remembered = await memory.remember(`attempt:${subject}:${number}`, mine, about);
    if (remembered === mine)
      return { kind: 'ours', attempt: attemptOf((value) => memory.remember(`end:${subject}:${number}`, value, about)) };
    const end = await readStored(memory, `end:${subject}:${number}`, endOfAttempt);
    if (end.kind !== 'value') return { kind: 'pending', startedAt: startOf(remembered), next: number + 1 };
    if (end.value !== noEffect) return { kind: 'refused', reason: end.value.slice(refused.length) };
  }
  return { kind: 'pending', startedAt: Date.now(), next: maxAttempts + 1 };
}

/** When an attempt began. One whose beginning cannot be read counts as just begun: it is never sent again. */
function startOf(remembered: string): number {
  return storedTime.safeParse(remembered.split(' ')[0]).data ?? Date.now();
}

function attemptOf(store: (end: string) => Promise<string>): Attempt {
  return {
    async hadNoEffect() {
      await store(noEffect);
    },
    async wasRefused(reason) {
      await store(refused + reason);
    },
  };
}
