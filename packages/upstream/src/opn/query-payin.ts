import type { ChannelAnswer, ChannelOrderRef } from '@tidegate/domain/channels';
import { answerOfOrder, readOrder } from './order-charges.ts';
import type { OpnAccount } from './settings.ts';

/** The state of an order at Opn. */
export async function queryPayin(
  account: OpnAccount,
  order: ChannelOrderRef,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const reading = await readOrder(account, order, signal);
  if (reading.kind === 'none') return { outcome: 'unknown', why: 'not_found', detail: 'no charge has this order' };
  return reading.kind === 'failed' ? reading.answer : answerOfOrder(account, order, reading, signal);
}
