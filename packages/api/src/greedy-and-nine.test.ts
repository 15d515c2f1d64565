import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AskPool, tryGreedyAndNine } from '@tidegate/domain/testing';
import { expect, test } from 'vitest';
import { openChangeFeed } from './live/change-feed.ts';
import { openDownloadSlots, openUploadSlots } from './transfer/transfer-slots.ts';

// Of each pool of the API: one greedy operator does not refuse nine quiet ones, nor make them wait twice as long.

const asTransfers =
  (open: typeof openUploadSlots): (() => AskPool) =>
  () => {
    const slots = open();
    return async (operatorId) => {
      const response = Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse;
      const isTaken = await slots.take(operatorId, response);
      return isTaken ? () => void response.emit('close') : null;
    };
  };

function openStreams(): AskPool {
  const feed = openChangeFeed();
  return async (operatorId) => {
    try {
      const stream = feed.listen({
        topic: 'queues',
        operatorId,
        maySubscribe: async () => true,
        toMessages: async () => [],
      });
      return () => void stream.return?.();
    } catch {
      return null;
    }
  };
}

test.each<[string, () => AskPool]>([
  ['uploads', asTransfers(openUploadSlots)],
  ['downloads', asTransfers(openDownloadSlots)],
  ['GraphQL streams', openStreams],
])('%s: nine quiet operators next to a greedy one', async (_name, open) => {
  const { alone, joined } = await tryGreedyAndNine(open);
  expect([alone.refused, joined.refused]).toEqual([0, 0]);
  expect(joined.p95).toBeLessThanOrEqual(2 * alone.p95);
});
