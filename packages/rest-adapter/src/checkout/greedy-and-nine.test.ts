import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AskPool, tryGreedyAndNine } from '@tidegate/domain/testing';
import { expect, test } from 'vitest';
import { openLiveStatus } from './live-status.ts';

/** A response that takes what is written. */
function aResponse(): ServerResponse {
  return Object.assign(new EventEmitter(), { write: () => true, end: () => undefined }) as unknown as ServerResponse;
}

function openStreams(): AskPool {
  const live = openLiveStatus({ maxStreams: 48 });
  let orders = 0;
  return async (merchantId) => {
    const raw = aResponse();
    const isOpen = live.open({ merchantId, orderNo: `${orders++}` }, raw, async () => null);
    return isOpen ? () => void raw.emit('close') : null;
  };
}

test('checkout streams: nine quiet merchants next to a greedy one', async () => {
  const { alone, joined } = await tryGreedyAndNine(openStreams);
  expect([alone.refused, joined.refused]).toEqual([0, 0]);
  expect(joined.p95).toBeLessThanOrEqual(2 * alone.p95);
});
