import type { MessagePort } from 'node:worker_threads';
import type { StatementOptions, StatementRow, UnreadableReason } from '@tidegate/domain/reconciliation';

// What a thread that reads a statement, and the thread that asked for it, send each other. The reading thread sends a request and waits for its reply.
// So at most one piece of the file and one batch of rows are on the way.

/** What a thread is to read. */
export interface ReadingTask {
  /** The name under which statements of the format are imported. */
  format: string;
  options: StatementOptions;
  port: MessagePort;
}

/** The next request of the reading thread. `begin`: it has the task. `bytes`: it needs the next piece of the file. */
export type ReadingRequest = { kind: 'begin' } | { kind: 'bytes' } | { kind: 'rows'; rows: StatementRow[] };

/** `bytes` replies to `bytes`; null is the end of the file. `stop`: nothing more is wanted. */
export type ReadingReply = { kind: 'go' } | { kind: 'bytes'; bytes: Uint8Array | null } | { kind: 'stop' };

/** How the reading ended. An error loses its class on the way to another thread, so an unreadable file is a value. */
export type ReadingEnd =
  | { ended: 'read' | 'stopped' }
  | { ended: 'unreadable'; reason: UnreadableReason; detail: string; lineNo: number | null };
