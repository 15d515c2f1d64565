import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { writeAtomically } from '../write-atomically.ts';

/** One delivery to the demo receiver. */
export interface Received {
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
  readonly merchantNo: string;
  readonly verified: boolean;
  /** Why the notification was refused; absent if it was verified. */
  readonly reason?: string;
  /** Counts the deliveries of the same order and status to this merchant, from 1. */
  readonly attempt: number;
  /** The HTTP status of the reply. */
  readonly answered: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON; as text if it is not JSON. */
  readonly body: unknown;
  /** The body exactly as received. */
  readonly text: string;
}

export interface ReceivedLog {
  add(received: Received): void;
  /** Oldest first. */
  list(): readonly Received[];
  /** The number of stored deliveries of this order and status to this merchant. */
  count(merchantNo: string, body: unknown): number;
}

const KEPT = 10_000;

/**
 * Keeps the last 10,000 notifications. They are also written to `file`, if given, so that an acknowledged one survives
 * a crash of the process.
 */
export function openReceivedLog(file: string | undefined): ReceivedLog {
  const kept = file === undefined ? [] : readLines(file).slice(-KEPT);
  const counts = new Map<string, number>();
  for (const received of kept) change(counts, received, 1);
  let written = 0;
  const rewrite = () => {
    if (file !== undefined) writeAtomically(file, kept.map((received) => `${JSON.stringify(received)}\n`).join(''));
    written = kept.length;
  };
  rewrite();
  return {
    add: (received) => {
      kept.push(received);
      change(counts, received, 1);
      const dropped = kept.length > KEPT ? kept.shift() : undefined;
      if (dropped !== undefined) change(counts, dropped, -1);
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(received)}\n`);
      written += 1;
      if (written >= 2 * KEPT) rewrite();
    },
    list: () => kept,
    count: (merchantNo, body) => counts.get(subject(merchantNo, body)) ?? 0,
  };
}

function change(counts: Map<string, number>, { merchantNo, body }: Received, by: number): void {
  const key = subject(merchantNo, body);
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

function subject(merchantNo: string, body: unknown): string {
  const { orderNo, status } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  return JSON.stringify([merchantNo, orderNo, status]);
}

function readLines(file: string): Received[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  // The last line is incomplete if the process was killed while writing. That delivery was not acknowledged.
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}
