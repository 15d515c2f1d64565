import { type ChannelSettings, isPrivateUrl } from '@tidegate/domain/channels';

/**
 * The base URL of a channel, without a slash at its end. Credentials go there, so it has to be https, or http to this
 * machine or to an IP address that is not public. Throws `channel ID: ` and the reason for any other URL.
 */
export function readBaseUrl({ channelId, baseUrl }: Pick<ChannelSettings, 'channelId' | 'baseUrl'>): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isPrivateUrl(url)))
    return url.origin + url.pathname.replace(/\/+$/, '');
  throw new Error(`channel ${channelId}: the base URL must be an https URL, or http to a private IP address`);
}
