import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelAnswer, ChannelOrder } from '@tidegate/domain/channels';
import { toMinorUnits } from '../provider/minor-units.ts';
import { type Attempt, takeAttempt } from './attempts.ts';
import { chargeIn } from './charges.ts';
import { exchange, noAnswer, type OpnReply, unknownOf } from './exchange.ts';
import { createErrors } from './mapping.ts';
import { answerOfOrder, readOrder, rememberCharge, rememberDoubt } from './order-charges.ts';
import type { OpnAccount } from './settings.ts';
import { chargeMetadata } from './wire.ts';

/** After this time an unanswered create of another process is given up, if a search finds nothing. */
const takeOverMs = 120_000;
/** How long a lost create is searched, before this call repeats it once. Searches may lag. */
const searchMs = 2_000;
const firstWaitMs = 200;
const maxWaitMs = 1_000;

/**
 * Creates a PromptPay charge. An order never has two payable charges: before a second create, the first charge is
 * searched for. A duplicate that is found later is expired.
 */
export async function createPayin(
  account: OpnAccount,
  order: ChannelOrder,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  const problem = problemOf(order);
  if (problem !== null) return { outcome: 'refused', reason: problem };
  if (signal.aborted) return noAnswer('ended before it was sent');
  let permission = await takeAttempt({ memory: account.memory, about: 'order' }, order.orderNo);
  while (permission.kind === 'pending') {
    const reading = await readOrder(account, order, signal);
    if (reading.kind === 'charges') return answerOfOrder(account, order, reading, signal);
    if (reading.kind === 'failed') return reading.answer;
    const ageMs = Math.abs(Date.now() - permission.startedAt);
    if (ageMs < takeOverMs) return noAnswer('another create of this order has no answer yet');
    await rememberDoubt(account, order.orderNo);
    permission = await takeAttempt({ memory: account.memory, about: 'order' }, order.orderNo, permission.next);
  }
  if (permission.kind === 'refused') return { outcome: 'refused', reason: permission.reason };
  return send(account, order, permission.attempt, signal);
}

function problemOf({ kind, country, currency, amount }: ChannelOrder): string | null {
  if (kind !== 'payin' || country !== 'TH' || currency !== 'THB') return 'opn carries payins in THB in Thailand only';
  return toMinorUnits(amount) === null ? 'the amount must be greater than 0, with two decimals' : null;
}

async function send(
  account: OpnAccount,
  order: ChannelOrder,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  for (let isRepeat = false; ; isRepeat = true) {
    const body = bodyOf(account, order);
    const reply = await exchange(account, { method: 'POST', path: '/charges', body }, signal);
    if (!(reply.kind === 'no_reply' && reply.isBroken)) return readReply(account, order, attempt, reply, signal);
    const found = await findLost(account, order, signal);
    if (found !== null) return found;
    // Each further create could be one more charge that a search does not show yet.
    if (isRepeat) return noAnswer(`${reply.detail}, twice`);
    await rememberDoubt(account, order.orderNo);
  }
}

function bodyOf(account: OpnAccount, order: ChannelOrder): object {
  const { orderNo, amount, currency, expiresInSeconds } = order;
  const expiresAt = expiresInSeconds === undefined ? undefined : new Date(Date.now() + expiresInSeconds * 1_000);
  return {
    amount: toMinorUnits(amount),
    currency,
    description: orderNo,
    source: { type: 'promptpay' },
    metadata: chargeMetadata(account.channelId, orderNo),
    ...(expiresAt && { expires_at: expiresAt.toISOString().replace(/\.[0-9]{3}Z$/, 'Z') }),
  };
}

async function readReply(
  account: OpnAccount,
  order: ChannelOrder,
  attempt: Attempt,
  reply: OpnReply,
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  if (reply.kind === 'not_executed') await attempt.hadNoEffect();
  if (reply.kind === 'error' && Object.hasOwn(createErrors, reply.code)) {
    await attempt.wasRefused(reply.detail);
    return { outcome: 'refused', reason: reply.detail };
  }
  if (reply.kind !== 'object') return unknownOf(reply);
  const charge = chargeIn(account, order, reply);
  if (charge.kind === 'failed') return charge.answer;
  const mainId = await rememberCharge(account, order.orderNo, charge.charge.id);
  if (mainId === charge.charge.id) {
    return answerOfOrder(account, order, { kind: 'charges', main: charge.charge, doubles: [] }, signal);
  }
  // Another process found or made a charge meanwhile. So the charge of this call is a duplicate.
  await rememberDoubt(account, order.orderNo);
  const reading = await readOrder(account, order, signal);
  if (reading.kind === 'charges') return answerOfOrder(account, order, reading, signal);
  return reading.kind === 'failed' ? reading.answer : noAnswer('the search does not know the charges yet');
}

/** Searches the charge of a create that was not answered. Null: the searches of two seconds found none. */
async function findLost(account: OpnAccount, order: ChannelOrder, signal: AbortSignal): Promise<ChannelAnswer | null> {
  const began = performance.now();
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    try {
      await sleep(waitMs * (0.8 + Math.random() * 0.4), undefined, { signal });
    } catch {
      return noAnswer('the create had no answer');
    }
    const reading = await readOrder(account, order, signal);
    if (reading.kind === 'charges') return answerOfOrder(account, order, reading, signal);
    if (reading.kind === 'none') {
      if (performance.now() - began >= searchMs) return null;
      continue;
    }
    if (!reading.isBroken) return reading.answer;
  }
}
