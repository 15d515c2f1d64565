import type { ChannelAnswer } from '../core/channel-answer.ts';
import { describeRefundAnswer, problemOfRefundAnswer, type RefundAnswer } from '../core/refund-answer.ts';
import { wasSent } from '../core/routing-health.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { answerOfRecord, detailOf, noChannel, tooLate } from './call-channel.ts';
import { inCallContext } from './call-context.ts';
import type { Channel, ChannelRefund } from './channel.ts';
import type { ChannelAccess } from './channel-access.ts';

/** The merchant whose money is refunded, and the channel. */
export interface RefundCall {
  merchantId: string;
  channelId: string;
  refund: ChannelRefund;
}

/** Whether payments can be refunded through this channel. */
export async function canRefund({ channels }: Pick<ChannelAccess, 'channels'>, channelId: string): Promise<boolean> {
  return (await channels(channelId))?.offers.refunds ?? false;
}

/**
 * Sends a refund or queries it, until `signal`. Never throws for a failure of the channel: the answer is then unknown.
 * Adds a call record, a metric and a span.
 */
export function callRefund(
  domain: ChannelAccess & Telemetry,
  { merchantId, channelId, refund }: RefundCall,
  operation: 'refund' | 'query_refund',
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const { orderNo } = refund;
  const attributes = { 'tidegate.order_no': orderNo, 'tidegate.channel': channelId };
  return domain.tracer.span({ name: `channel ${operation}`, kind: 'client', attributes }, async (setAttributes) => {
    const startedAt = Date.now();
    const configured = await domain.channels(channelId);
    const answer = configured
      ? await inCallContext({ owner: merchantId, priority: 'poll' }, () =>
          ask(domain, { channelId, channel: configured.channel }, refund, operation, signal),
        )
      : noChannel(channelId);
    const durationMs = Date.now() - startedAt;
    const { outcome } = answer;
    const forHealth: ChannelAnswer = answer.outcome === 'unknown' ? answer : { outcome: 'closed' };
    if (wasSent(forHealth)) domain.channelHealth.record(channelId, forHealth, durationMs);
    const detail =
      answer.outcome === 'unknown' ? detailOf(answer) : 'refundRef' in answer ? null : describeRefundAnswer(answer);
    const answered = { ...answerOfRecord(forHealth), outcome, detail };
    domain.callLog.add({ merchantId, orderNo, channelId, operation, startedAt, durationMs, ...answered });
    if ('isForbidden' in answer) domain.observer.channelForbidden?.(channelId);
    domain.observer.channelCall?.({ channelId, operation, outcome, ms: durationMs });
    setAttributes({ 'tidegate.outcome': outcome });
    return answer;
  });
}

async function ask(
  { log }: Telemetry,
  { channelId, channel }: { channelId: string; channel: Channel },
  refund: ChannelRefund,
  operation: 'refund' | 'query_refund',
  signal: AbortSignal,
): Promise<RefundAnswer> {
  const { refundNo } = refund;
  try {
    const answering = operation === 'refund' ? channel.refund?.(refund, signal) : channel.queryRefund?.(refund, signal);
    if (!answering) return { ...noChannel(channelId), detail: 'the channel offers no refunds' };
    const answer = await Promise.race([answering, tooLate(signal)]);
    const problem = problemOfRefundAnswer(answer);
    return problem === null ? answer : { outcome: 'unknown', why: 'no_answer', detail: `unreadable: ${problem}` };
  } catch (error) {
    log.error({ err: error, channelId, refundNo, operation }, 'a channel adapter broke');
    return { outcome: 'unknown', why: 'no_answer', detail: 'the adapter broke' };
  }
}
