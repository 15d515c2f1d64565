import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { writeAtomically } from '../write-atomically.ts';

/** A delivery as the demo merchant received it. */
export interface Received {
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
  readonly merchantNo: string;
  readonly verified: boolean;
  /** Why it was refused; absent if verified. */
  readonly reason?: string;
  /** The 1st, 2nd … delivery of the same order and status to this merchant. */
  readonly attempt: number;
  /** The HTTP status of the reply. */
  readonly answered: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body's JSON, or its text if it is not JSON. */
  readonly body: unknown;
  /** The body's own text. */
  readonly text: string;
}

export interface ReceivedLog {
  add(received: Received): void;
  /** Oldest first. */
  list(): readonly Received[];
  /** How often this order and status came to this merchant, among the stored deliveries. */
  count(merchantNo: string, body: unknown): number;
}

const KEPT = 10_000;

/**
 * Keeps the last 10,000 notifications, and writes them to `file` if given, so that an acknowledged one survives the
 * process.
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
  // An incomplete last line was written by a killed process, and was not acknowledged.
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}
