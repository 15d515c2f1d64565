import type { Work } from '@tidegate/domain';
import { expect, test } from 'vitest';
import { nameOf } from '../channels/full-channels.ts';
import { withinChannels } from './dispatch.ts';

const poll = (merchantId: string, orderNo: string, channelId = 'A'): Work => ({
  queue: 'poll',
  merchantId,
  orderNo,
  channelId,
  dueAt: 1,
});
/** 600 due orders of one merchant, then one of each of nine others. */
const due: Work[] = [
  ...Array.from({ length: 600 }, (_, n) => poll('GREEDY', `G${n}`)),
  ...Array.from({ length: 9 }, (_, n) => poll(`QUIET-${n}`, `Q${n}`)),
];
const quiet = (works: readonly Work[]): number => works.filter(({ merchantId }) => merchantId !== 'GREEDY').length;

test('merchants with few due orders at a channel get jobs before the many of another one', () => {
  const chosen = withinChannels(due, new Set());
  expect(chosen).toHaveLength(500);
  expect(quiet(chosen.slice(0, 10))).toBe(9);
});

test('of a full channel too, each merchant gets one of the few jobs', () => {
  const chosen = withinChannels(due, new Set([nameOf('poll', 'A')]));
  expect(chosen).toHaveLength(16);
  expect(quiet(chosen)).toBe(9);
});

test('the due orders of a merchant keep their order, and other channels are not affected', () => {
  const chosen = withinChannels([...due, poll('GREEDY', 'B0', 'B')], new Set([nameOf('poll', 'A')]));
  const orders = chosen.flatMap((work) => ('channelId' in work && work.merchantId === 'GREEDY' ? work.orderNo : []));
  expect(orders).toEqual(['G0', 'G1', 'G2', 'G3', 'G4', 'G5', 'G6', 'B0']);
});
