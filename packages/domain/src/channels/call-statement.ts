import type { Telemetry } from '../core/telemetry.ts';
import { platform } from '../sharing/priority.ts';
import { tooLate } from './call-channel.ts';
import { inCallContext } from './call-context.ts';
import type { FetchedStatement, StatementRequest } from './channel.ts';
import type { ChannelAccess } from './channel-access.ts';
import type { ConfiguredChannel } from './channels.ts';

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
    const answer = await inCallContext({ owner: platform, priority: 'create' }, () =>
      ask(domain, { channelId, configured }, request, signal),
    );
    const { outcome } = answer;
    domain.observer.channelCall?.({ channelId, operation, outcome, ms: Date.now() - startedAt });
    setAttributes({ 'tidegate.outcome': outcome });
    return answer;
  });
}

async function ask(
  { log }: Telemetry,
  { channelId, configured }: { channelId: string; configured: ConfiguredChannel | null },
  request: StatementRequest,
  signal: AbortSignal,
): Promise<FetchedStatement> {
  if (!configured?.offers.statements.includes(request.format))
    return { outcome: 'unknown', detail: `channel ${channelId} offers no ${request.format}` };
  try {
    const fetching = configured.channel.fetchStatement?.(request, signal);
    return (await Promise.race([fetching, tooLate(signal)])) ?? { outcome: 'unknown', detail: 'no answer' };
  } catch (error) {
    log.error({ err: error, channelId, ...request }, 'a channel adapter broke');
    return { outcome: 'unknown', detail: 'the adapter broke' };
  }
}
