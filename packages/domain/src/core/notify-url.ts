import { type BlockList, isIP } from 'node:net';
import { mayReach } from './address.ts';

/**
 * Why an address cannot be notified (decisions 4 and 8); null if it can, as far as its text tells: names are judged when they are resolved.
 * The URL parser makes every spelling of an IPv4 address the plain one.
 */
export function problemOfNotifyUrl(text: string, allowed: BlockList): string | null {
  if (text.length > 512) return 'must have at most 512 characters';
  // The parser would silently drop or escape blanks and control characters: what is kept is what was judged.
  if (!/^https?:\/\/[^\p{Cc}\p{Z}]+$/iu.test(text) || !URL.canParse(text))
    return 'must be an absolute http or https URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not hold credentials';
  const port = Number(url.port);
  if (url.port !== '' && port !== 80 && port !== 443 && port < 1024) return 'must use port 80, 443 or 1024 to 65535';
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '') return 'must name a host';
  if (isIP(host) !== 0 && !mayReach(host, allowed)) return 'must not point to a private or reserved address';
  if (/^localhost$|\.localhost$/.test(host) && !mayReach('127.0.0.1', allowed))
    return 'must not point to a private or reserved address';
  return null;
}
