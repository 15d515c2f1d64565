import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress } from 'node:net';

/**
 * The address that a request comes from, as `plainAddress` writes it. With `trustedProxies` = n, the last n hops are ours.
 * Each of them appended the address of its client. So the n-th entry of X-Forwarded-For from the right is the caller, and entries before it are only claims.
 * With 0 the header is ignored. Null where the address is unknown.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string | null {
  if (trustedProxies === 0) return plainAddress(request.socket.remoteAddress ?? '');
  const hops = (request.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',');
  return addressOfHop(hops.at(-trustedProxies)?.trim() ?? '');
}

const BRACKETED = /^\[([0-9A-Fa-f:.]{2,45})\](?::[0-9]{1,5})?$/;
const IPV4_WITH_PORT = /^([0-9.]{7,15}):[0-9]{1,5}$/;

/** An entry of X-Forwarded-For: an address. Some proxies add the port, and write IPv6 in brackets. */
function addressOfHop(hop: string): string | null {
  const [, inside = ''] = BRACKETED.exec(hop) ?? [];
  if (inside !== '') return isIP(inside) === 6 ? plainAddress(inside) : null;
  const [, ipv4 = hop] = IPV4_WITH_PORT.exec(hop) ?? [];
  return plainAddress(ipv4);
}

const MAPPED = /^::ffff:([0-9.]+)$/;

/**
 * The canonical spelling of an IP address. IPv6 is in lower case, shortened and without a zone.
 * An IPv4 address that came in over an IPv6 socket (`::ffff:192.0.2.1`, in any spelling) is written as IPv4. Null for anything else.
 */
export function plainAddress(text: string): string | null {
  const family = isIP(text);
  if (family !== 6) return family === 4 ? text : null;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  return MAPPED.exec(address)?.[1] ?? address;
}
