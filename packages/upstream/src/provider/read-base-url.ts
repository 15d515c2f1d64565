import { isPrivateUrl } from '@tidegate/domain/channels';

/** The base URLs that an adapter accepts. */
export interface UrlRule {
  /** The base URL without a slash at its end; null for a text that the adapter does not accept. */
  read(text: string): string | null;
  /** Follows the name of the setting: `must be …`. */
  expected: string;
}

/**
 * Credentials are sent to this address, so it has to be https. Plain http is accepted only to this machine or to an IP
 * address that is not public.
 */
export const secureUrl: UrlRule = {
  read: (text) => readUrl(text, (url) => url.protocol === 'https:' || (url.protocol === 'http:' && isPrivateUrl(url))),
  expected: 'must be an https URL, or http to a private IP address',
};

/** Http or https, for an upstream to which no secret is sent. */
export const httpUrl: UrlRule = {
  read: (text) => readUrl(text, ({ protocol }) => protocol === 'https:' || protocol === 'http:'),
  expected: 'must be an http or https URL',
};

function readUrl(text: string, isFit: (url: URL) => boolean): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && isFit(url) ? url.origin + url.pathname.replace(/(?<!\/)\/+$/, '') : null;
}
