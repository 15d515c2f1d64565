import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Domain, every, type Log } from '@tidegate/domain';
import { openFairSlots } from '@tidegate/domain/sharing';
import type { Authenticate } from '../console/authenticate.ts';

export interface TransferSlots {
  /**
   * Waits for a slot, and holds it until the response is closed. False: the operator has as many transfers as it may
   * have, or there was no slot in time. A client that reads more slowly than the least rate is disconnected.
   */
  take(operatorId: string, response: Transferring): Promise<boolean>;
}

/** The response of a transfer, and the connection that it goes over. */
interface Transferring extends Pick<ServerResponse, 'destroyed' | 'writableLength'> {
  socket: Pick<Socket, 'bytesWritten' | 'writableLength'> | null;
  once(event: 'close', closed: () => void): unknown;
  destroy(): unknown;
}

/**
 * The least that a client reads while something waits for it, in bytes a second, over each of these times in ms. Else one
 * that reads a byte now and then would hold its slot, and the file in memory, for days.
 */
export const leastRate = { bytesPerSecond: 16 * 1_024, overMs: 30_000 };

/** One upload at a time for each operator, and a few for all: each holds up to 2 MB. */
export function openUploadSlots(): TransferSlots {
  return openTransferSlots('uploads', { each: 1, all: 8 });
}

/** What the routes of downloads share. */
export interface DownloadRoutes {
  domain: Domain;
  log: Log;
  authenticate: Authenticate;
  downloads: TransferSlots;
}

/** How long a transfer waits for its turn, in ms. */
const maxWaitMs = 10_000;

/**
 * The most downloads of files, exports and bank files at the same time in this process. Each holds a file or one or two
 * chunks in memory until its client has read them.
 */
const downloads = { each: 2, all: 8 };

/** What an operator reads whose download got no slot. */
export const downloadsBusy = `${downloads.each} downloads of yours, or ${downloads.all} of all operators, are running: try again when one is done`;

/** The slots of all downloads of this process. */
export function openDownloadSlots(): TransferSlots {
  return openTransferSlots('downloads', downloads);
}

/** Limits the transfers at once in this process: `each` of one operator, `all` of all of them, who share them fairly. */
function openTransferSlots(pool: 'uploads' | 'downloads', { each, all }: { each: number; all: number }): TransferSlots {
  const slots = openFairSlots({ pool, slots: all, slotsPerOwner: each });
  return {
    async take(owner, response) {
      // Of a response that is closed already no end would be seen.
      if (response.destroyed) return false;
      const closed = new AbortController();
      // Also when the client leaves, or is cut off.
      response.once('close', () => closed.abort());
      const taken = await slots.take({ owner, priority: 'create', maxWaitMs, isPatient: true, signal: closed.signal });
      if (!taken.ok) return false;
      if (closed.signal.aborted) taken.release();
      else {
        const stopWatching = endIfSlow(response);
        closed.signal.addEventListener(
          'abort',
          () => {
            stopWatching();
            taken.release();
          },
          { once: true },
        );
      }
      return !closed.signal.aborted;
    },
  };
}

/** Ends a response whose client reads too slowly. While nothing waits for the client, it cannot be slow. Returns how to stop. */
function endIfSlow(response: Transferring): () => void {
  const { bytesPerSecond, overMs } = leastRate;
  let before = readOf(response);
  const check = async (): Promise<void> => {
    const read = readOf(response);
    const isWaitedFor = response.writableLength > 0 || (response.socket?.writableLength ?? 0) > 0;
    if (isWaitedFor && read - before < (bytesPerSecond * overMs) / 1_000) response.destroy();
    before = read;
  };
  const timer = every(overMs, check, () => response.destroy());
  return () => clearInterval(timer);
}

/** What the operating system has taken. `bytesWritten` counts what still waits too. */
function readOf({ socket }: Transferring): number {
  return socket ? socket.bytesWritten - socket.writableLength : 0;
}
