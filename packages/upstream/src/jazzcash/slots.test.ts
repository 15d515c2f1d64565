import { inCallContext } from '@tidegate/domain/channels';
import { tryGreedyAndNine } from '@tidegate/domain/testing';
import { expect, test } from 'vitest';
import type { Gateway } from './gateway.ts';
import { takeSlot } from './slots.ts';

test('payers who confirm: nine quiet merchants next to a greedy one', async () => {
  const { alone, joined } = await tryGreedyAndNine(() => {
    const gateway = { tools: { http: {} }, baseUrl: 'https://jazz.test', maxConfirming: 48 } as unknown as Gateway;
    return async (owner) => inCallContext({ owner, priority: 'create' }, () => takeSlot(gateway));
  });
  expect([alone.refused, joined.refused]).toEqual([0, 0]);
  expect(joined.p95).toBeLessThanOrEqual(2 * alone.p95);
});
