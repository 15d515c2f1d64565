import { isPrivateUrl } from '../core/notify-url.ts';
import type { CheckedStep } from './channel.ts';
import type { ChannelAccess } from './channel-access.ts';

/** How long all checks of a channel may take together, in ms. */
const checkDeadline = 20_000;

/**
 * Checks a channel with harmless calls: address, credentials, clock, certificates, and whether the provider can reach
 * our callback address. Null: there is no such channel, or its adapter is not installed.
 */
export async function checkChannel(domain: ChannelAccess, channelId: string): Promise<CheckedStep[] | null> {
  const configured = await domain.channels(channelId);
  if (!configured) return null;
  const steps = (await configured.channel.check?.(AbortSignal.timeout(checkDeadline))) ?? [];
  return [...steps, checkCallbackUrl(`${domain.publicBaseUrl}/upstream/${channelId}/callback`)];
}

function checkCallbackUrl(callbackUrl: string): CheckedStep {
  const url = new URL(callbackUrl);
  const isPrivate = isPrivateUrl(url);
  const problem =
    url.protocol !== 'https:' ? 'it is not https' : isPrivate ? 'it is not reachable from the internet' : null;
  return {
    step: 'callback',
    isOk: problem === null,
    detail: problem === null ? callbackUrl : `${callbackUrl}: ${problem}`,
  };
}
