import type { ChannelRefund, RefundAnswer } from '@tidegate/domain/channels';
import { toMinorUnits } from '../provider/minor-units.ts';
import { takeAttempt } from './attempts.ts';
import { chargePath, readCharge } from './charges.ts';
import { exchange, noAnswer, type OpnReply, unknownOf } from './exchange.ts';
import { isPaid, refundErrors, refundTable } from './mapping.ts';
import type { OpnAccount } from './settings.ts';
import { isChargeId, type WireRefund, wireRefund, wireRefunds } from './wire.ts';

/** Money leaves with a refund, so an unanswered refund is given up later than an unanswered create. */
const takeOverMs = 600_000;
/** The most refunds that a list returns. A payment with more refunds is left to people. */
const maxRefunds = 100;

/** Refunds a payment. A refund whose answer was lost is searched, and not sent again for ten minutes. */
export async function refundPayin(
  account: OpnAccount,
  refund: ChannelRefund,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const problem = problemOf(refund);
  if (problem !== null) return { outcome: 'refused', reason: problem };
  if (signal.aborted) return noAnswer('ended before it was sent');
  const subject = `refund:${refund.refundNo}`;
  let permission = await takeAttempt(account, subject);
  while (permission.kind === 'pending') {
    const found = await findRefund(account, refund, signal);
    if (found.outcome !== 'unknown' || found.why === 'no_answer') return found;
    if (Math.abs(Date.now() - permission.startedAt) < takeOverMs) return noAnswer('the refund has no answer yet');
    permission = await takeAttempt(account, subject, permission.next);
  }
  if (permission.kind === 'refused') return { outcome: 'refused', reason: permission.reason };
  const { attempt } = permission;
  const charge = await readCharge(account, refund, refund.reference, signal);
  if (charge.kind === 'failed' || charge.charge.refundable === false) {
    await attempt.hadNoEffect();
    if (charge.kind === 'failed') return charge.answer;
    const reason = isPaid(charge.charge) ? 'Opn does not refund this charge' : 'the charge is not paid';
    return { outcome: 'refused', reason };
  }
  const reply = await send(account, refund, signal);
  if (reply.kind === 'not_executed') await attempt.hadNoEffect();
  if (reply.kind === 'error' && Object.hasOwn(refundErrors, reply.code)) {
    await attempt.wasRefused(reply.detail);
    return { outcome: 'refused', reason: reply.detail };
  }
  if (reply.kind !== 'object') return unknownOf(reply);
  const read = wireRefund.safeParse(reply.json);
  return read.success && isAbout(read.data, refund) ? answerOf(read.data) : noAnswer('unreadable: not this refund');
}

/** The state of a refund, by the list of refunds of its charge. */
export async function findRefund(
  account: OpnAccount,
  refund: ChannelRefund,
  signal: AbortSignal,
): Promise<RefundAnswer> {
  if (!isChargeId(refund.reference)) return noAnswer('the reference is not a charge of Opn');
  const path = `${chargePath(refund.reference)}/refunds?limit=${maxRefunds}`;
  const reply = await exchange(account, { method: 'GET', path }, signal);
  if (reply.kind !== 'object') return unknownOf(reply);
  const read = wireRefunds.safeParse(reply.json);
  if (!read.success) return noAnswer('unreadable: not a list of refunds');
  const found = read.data.data.find((one) => isAbout(one, refund));
  if (found) return answerOf(found);
  if (read.data.total > read.data.data.length) return noAnswer('the charge has too many refunds to find this one');
  // `refundPayin` itself sends it again only after ten minutes.
  return { outcome: 'unknown', why: 'not_found', maySendAgain: true, detail: 'the charge has no such refund' };
}

function problemOf({ reference, refundAmount }: ChannelRefund): string | null {
  if (!isChargeId(reference)) return 'the reference is not a charge of Opn';
  return toMinorUnits(refundAmount) !== null ? null : 'the amount must be greater than 0, with two decimals';
}

function send(account: OpnAccount, refund: ChannelRefund, signal: AbortSignal): Promise<OpnReply> {
  const { reference, refundNo, refundAmount, orderNo } = refund;
  const metadata = { tidegate_refund: refundNo, tidegate_order: orderNo };
  const body = { amount: toMinorUnits(refundAmount), metadata };
  return exchange(account, { method: 'POST', path: `${chargePath(reference)}/refunds`, body }, signal);
}

function isAbout(refund: WireRefund, { refundNo, reference, refundAmount, currency }: ChannelRefund): boolean {
  return (
    refund.metadata?.tidegate_refund === refundNo &&
    refund.charge === reference &&
    refund.amount === toMinorUnits(refundAmount) &&
    refund.currency === currency
  );
}

function answerOf({ id, status }: WireRefund): RefundAnswer {
  // Older versions have no status. The refund exists, so it was accepted.
  const row = refundTable[status ?? 'pending'];
  if (row === undefined) return noAnswer('the refund is in an unknown state');
  return row.outcome === 'failed' ? { outcome: 'failed', reason: 'failed' } : { outcome: row.outcome, refundRef: id };
}
