import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { expireCharge } from './charges.ts';
import { isOpen } from './mapping.ts';
import { answerOfOrder, readOrder } from './order-charges.ts';
import type { OpnAccount } from './settings.ts';

/** Expires the open charge of an order. A charge that was paid before is reported as paid. */
export async function cancelPayin(
  account: OpnAccount,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const reading = await readOrder(account, order, signal);
  if (reading.kind === 'none') return { outcome: 'unknown', why: 'not_found', detail: 'no charge has this order' };
  if (reading.kind === 'failed') return reading.answer;
  if (!isOpen(reading.main)) return answerOfOrder(account, order, reading, signal);
  const ended = await expireCharge(account, order, reading.main.id, signal);
  if (ended.kind === 'failed') return ended.answer;
  return answerOfOrder(account, order, { ...reading, main: ended.charge }, signal);
}
