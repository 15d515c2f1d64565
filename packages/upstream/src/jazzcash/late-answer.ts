import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { z } from 'zod';
import type { Gateway } from './gateway.ts';
import { referenceOf } from './reference.ts';

const keyOf = (reference: string) => `late ${reference}`;

const stored = z.union([
  z.object({ outcome: z.literal('paid'), amount: z.string() }),
  z.object({ outcome: z.enum(['failed', 'timed_out']), reason: z.string() }),
]);

/** Stores the final answer to a create that arrived after its caller had stopped waiting. */
export async function storeLateAnswer(gateway: Gateway, reference: string, answer: ChannelAnswer): Promise<void> {
  const value = toStored(answer);
  if (value !== null) await gateway.memory.remember(keyOf(reference), JSON.stringify(value), 'order');
}

/** The stored late answer, in the form of an answer to a query; null if there is none. */
export async function readLateAnswer(gateway: Gateway, { orderNo }: ChannelOrderRef): Promise<ChannelAnswer | null> {
  const reference = referenceOf(orderNo);
  const text = reference === null ? null : await gateway.memory.read(keyOf(reference));
  if (reference === null || text === null) return null;
  const late = stored.parse(JSON.parse(text));
  if (late.outcome !== 'paid') return { ...late, channelRef: reference };
  return { outcome: 'paid', channelRef: reference, payments: [{ reference, amount: late.amount }] };
}

function toStored(answer: ChannelAnswer): z.infer<typeof stored> | null {
  switch (answer.outcome) {
    case 'paid': {
      const [payment] = answer.payments;
      return payment === undefined ? null : { outcome: 'paid', amount: payment.amount };
    }
    case 'failed':
    case 'timed_out':
      return { outcome: answer.outcome, reason: answer.reason };
    case 'refused':
      return { outcome: 'failed', reason: answer.reason };
    default:
      return null;
  }
}
