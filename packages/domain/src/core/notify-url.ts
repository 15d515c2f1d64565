import { type BlockList, isIP } from 'node:net';
import { mayReach, networks } from './address.ts';

/**
 * A parsed notification URL. `host` is its name or IP address in the form of resolvers and certificates: no brackets,
 * no trailing dot.
 */
export type NotifyUrl = { ok: true; url: URL; host: string; port: number } | { ok: false; problem: string };

/** The addresses of `localhost` and every name below it, without a resolver (RFC 6761). */
export const loopbackAddresses: readonly string[] = ['127.0.0.1', '::1'];

/**
 * Why an address cannot be notified (decisions 4 and 8); null if its text is accepted. Names are checked when they are
 * resolved, at each attempt.
 */
export function problemOfNotifyUrl(text: string, allowed: BlockList): string | null {
  const read = readNotifyUrl(text);
  if (!read.ok) return read.problem;
  const reported = isIP(read.host) !== 0 ? [read.host] : isLocalhost(read.host) ? loopbackAddresses : [];
  return reported.every((address) => mayReach(address, allowed))
    ? null
    : 'must not point to a private or reserved address';
}

/**
 * Reads a notification URL by the rules that need no address: syntax, credentials, port. The URL parser normalizes
 * every spelling of an IPv4 address.
 */
export function readNotifyUrl(text: string): NotifyUrl {
  const refused = (problem: string): NotifyUrl => ({ ok: false, problem });
  if (text.length > 512) return refused('must have at most 512 characters');
  // The parser would silently drop or escape blanks and control characters. The stored text must be the checked one.
  if (!/^https?:\/\/[^\p{Cc}\p{Z}]+$/iu.test(text) || !URL.canParse(text))
    return refused('must be an absolute http or https URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return refused('must not hold credentials');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (port !== 80 && port !== 443 && port < 1024) return refused('must use port 80, 443 or 1024 to 65535');
  const host = hostOf(url);
  if (host === '') return refused('must name a host');
  return { ok: true, url, host, port };
}

const none = networks([]);

/** Whether a URL leads to this machine by its name, or to an IP address that is not public. Names are not resolved. */
export function isPrivateUrl(url: URL): boolean {
  const host = hostOf(url);
  return isLocalhost(host) || (isIP(host) !== 0 && !mayReach(host, none));
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Whether this name is the machine itself by definition. */
export function isLocalhost(host: string): boolean {
  return /^localhost$|\.localhost$/.test(host);
}
