import { isIP } from 'node:net';
import { isLocalhost, mayReach, networks } from '@tidegate/domain/channels';

const none = networks([]);

/**
 * Reads the base URL of a channel. Null unless it is https, or http to this machine or to an IP address that is not
 * public.
 */
export function readBaseUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol === 'https:') return url;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isPrivate = isLocalhost(host) || (isIP(host) !== 0 && !mayReach(host, none));
  return url.protocol === 'http:' && isPrivate ? url : null;
}
