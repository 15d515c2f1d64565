import type { ServerResponse } from 'node:http';

export interface TransferSlots {
  /** Whether the operator may begin a transfer now. The slot is held until the response is closed. */
  take(operatorId: string, response: Pick<ServerResponse, 'once' | 'destroyed'>): boolean;
}

/** Limits the transfers at once in this process: `each` of one operator, `all` of all of them. */
export function openTransferSlots({ each, all }: { each: number; all: number }): TransferSlots {
  const running = new Map<string, number>();
  let total = 0;
  const count = (operatorId: string, change: 1 | -1): void => {
    const now = (running.get(operatorId) ?? 0) + change;
    if (now === 0) running.delete(operatorId);
    else running.set(operatorId, now);
    total += change;
  };
  return {
    take: (operatorId, response) => {
      // Of a response that is closed already no end would be seen.
      if (response.destroyed || (running.get(operatorId) ?? 0) >= each || total >= all) return false;
      count(operatorId, 1);
      // Also when the client leaves, or is cut off.
      response.once('close', () => count(operatorId, -1));
      return true;
    },
  };
}
