import type pg from 'pg';
import { writeKeyUses } from './queries.ts';

/** When merchants' keys were last used (decisions 2.5). */
export interface KeyUses {
  used(merchantId: string, keyId: string): void;
  /** Writes the uses that are due. Call it about every second. */
  write(): Promise<void>;
}

/** How exact the time of a key's last use is, in ms. To write every use would cost an update for nearly every order. */
const everyMs = 60_000;

/** The first use of a key is written by the next `write`, later ones once in `every` ms. */
export function openKeyUses(pool: pg.Pool, every = everyMs): KeyUses {
  const waiting = new Map<string, { merchantId: string; keyId: string }>();
  // In the order in which they were written.
  const writtenAt = new Map<string, number>();
  return {
    used: (merchantId, keyId) => {
      waiting.set(`${merchantId} ${keyId}`, { merchantId, keyId });
    },
    write: async () => {
      const now = performance.now();
      for (const [name, at] of writtenAt) {
        if (at + every > now) break;
        writtenAt.delete(name);
      }
      const due = [...waiting].filter(([name]) => !writtenAt.has(name));
      if (due.length === 0) return;
      for (const [name] of due) {
        waiting.delete(name);
        writtenAt.set(name, now);
      }
      await pool.query(writeKeyUses, [due.map(([, { merchantId }]) => merchantId), due.map(([, { keyId }]) => keyId)]);
    },
  };
}
