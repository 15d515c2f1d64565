import { randomUUID } from 'node:crypto';
import type { JazzCashSettings } from './settings.ts';

// JazzCash has no idempotency key. So every send of a payin is stored with its number before it happens. Each number
// belongs to one process.

/** How often one payin is sent at most. */
export const maxSends = 5;

/** The sends of one payin, over all processes. */
export interface Sends {
  count: number;
  /** When the last one began, in Unix milliseconds. */
  lastAt: number;
}

const sentKey = (reference: string, number: number) =>
  number === 1 ? `sent ${reference}` : `sent ${reference} ${number}`;
const refusedKey = (reference: string) => `refused ${reference}`;

/** Null: the payin was never sent. */
export async function readSends({ memory }: JazzCashSettings, reference: string): Promise<Sends | null> {
  let sends: Sends | null = null;
  for (let number = 1; number <= maxSends; number++) {
    const value = await memory.read(sentKey(reference, number));
    if (value === null) break;
    sends = { count: number, lastAt: Date.parse(value.split(' ')[0] ?? '') };
  }
  return sends;
}

/** Whether this process may make the send with this number. Otherwise another process makes it. */
export async function claimSend({ memory }: JazzCashSettings, reference: string, number: number): Promise<boolean> {
  const mine = `${new Date().toISOString()} ${randomUUID()}`;
  return (await memory.remember(sentKey(reference, number), mine, 'order')) === mine;
}

/** Stores why the first send was refused. Every later create has the same answer. */
export async function storeRefusal({ memory }: JazzCashSettings, reference: string, reason: string): Promise<void> {
  await memory.remember(refusedKey(reference), reason, 'order');
}

/** Why the first send was refused; null if it was not. */
export function readRefusal({ memory }: JazzCashSettings, reference: string): Promise<string | null> {
  return memory.read(refusedKey(reference));
}
