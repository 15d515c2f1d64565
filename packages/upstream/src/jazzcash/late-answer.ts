import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { z } from 'zod';
import { readStored, storedText } from '../provider/stored.ts';
import type { Gateway } from './gateway.ts';
import { referenceOf } from './reference.ts';

const keyOf = (reference: string) => `late ${reference}`;

const lateAnswer = z.union([
  z.strictObject({ outcome: z.literal('paid'), amount: storedText.regex(/^[0-9]{1,16}\.[0-9]{2}$/) }),
  z.strictObject({ outcome: z.enum(['failed', 'timed_out']), reason: storedText }),
]);

const stored = storedText.transform(parseJson).pipe(lateAnswer);

/** Stores the final answer to a create that arrived after its caller had stopped waiting. */
export async function storeLateAnswer(gateway: Gateway, reference: string, answer: ChannelAnswer): Promise<void> {
  const value = toStored(answer);
  if (value !== null) await gateway.memory.remember(keyOf(reference), JSON.stringify(value), 'order');
}

/** The stored late answer, in the form of an answer to a query; null if there is none that can be read. */
export async function readLateAnswer(gateway: Gateway, { orderNo }: ChannelOrderRef): Promise<ChannelAnswer | null> {
  const reference = referenceOf(orderNo);
  if (reference === null) return null;
  const read = await readStored(gateway.memory, keyOf(reference), stored);
  if (read.kind !== 'value') return null;
  const late = read.value;
  if (late.outcome !== 'paid') return { ...late, channelRef: reference };
  return { outcome: 'paid', channelRef: reference, payments: [{ reference, amount: late.amount }] };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toStored(answer: ChannelAnswer): z.infer<typeof lateAnswer> | null {
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
