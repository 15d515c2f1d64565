import type { Telemetry } from '../core/telemetry.ts';
import { tooLate } from './call-channel.ts';
import type { Channel, FetchedStatement, StatementRequest } from './channel.ts';
import type { ChannelAccess } from './channel-access.ts';

/**
 * Asks a channel for the statement of a day, until `signal`, which also ends its transfer. Never throws for a failure of the channel: that is an
 * unknown answer. Adds a metric and a span.
 */
export function callStatement(
  domain: Pick<ChannelAccess, 'channels'> & Telemetry,
  channelId: string,
  request: StatementRequest,
  signal: AbortSignal,
): Promise<FetchedStatement> {
  const operation = 'fetch_statement';
  const attributes = { 'tidegate.channel': channelId };
  return domain.tracer.span({ name: `channel ${operation}`, kind: 'client', attributes }, async (setAttributes) => {
    const startedAt = Date.now();
    const configured = await domain.channels(channelId);
    const answer = await ask(domain, { channelId, channel: configured?.channel ?? null }, request, signal);
    const { outcome } = answer;
    domain.observer.channelCall?.({ channelId, operation, outcome, ms: Date.now() - startedAt });
    setAttributes({ 'tidegate.outcome': outcome });
    return answer;
  });
}

async function ask(
  { log }: Telemetry,
  { channelId, channel }: { channelId: string; channel: Channel | null },
  request: StatementRequest,
  signal: AbortSignal,
): Promise<FetchedStatement> {
  const isOffered = channel?.fetchStatement && channel.statementFormats?.includes(request.format);
  if (!isOffered) return { outcome: 'unknown', detail: `channel ${channelId} offers no ${request.format}` };
  try {
    const fetching = channel.fetchStatement?.(request, signal);
    return (await Promise.race([fetching, tooLate(signal)])) ?? { outcome: 'unknown', detail: 'no answer' };
  } catch (error) {
    log.error({ err: error, channelId, ...request }, 'a channel adapter broke');
    return { outcome: 'unknown', detail: 'the adapter broke' };
  }
}
