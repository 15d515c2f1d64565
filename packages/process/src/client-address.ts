import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress } from 'node:net';

/**
 * The client's address, as `plainAddress` writes it; null if it is unknown. `trustedProxies` is the number of our own
 * proxies in front of this process. Each of them appends its client's address to X-Forwarded-For. So with n proxies the
 * n-th entry from the right is the caller. Entries left of it were sent by the caller and prove nothing. With 0 the
 * header is ignored.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string | null {
  if (trustedProxies === 0) return plainAddress(request.socket.remoteAddress ?? '');
  const hops = (request.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',');
  return addressOfHop(hops.at(-trustedProxies)?.trim() ?? '');
}

const BRACKETED = /^\[([0-9A-Fa-f:.]{2,45})\](?::[0-9]{1,5})?$/;
const IPV4_WITH_PORT = /^([0-9.]{7,15}):[0-9]{1,5}$/;

/** Parses an entry of X-Forwarded-For. Some proxies add the port, and write IPv6 in brackets. */
function addressOfHop(hop: string): string | null {
  const [, inside = ''] = BRACKETED.exec(hop) ?? [];
  if (inside !== '') return isIP(inside) === 6 ? plainAddress(inside) : null;
  const [, ipv4 = hop] = IPV4_WITH_PORT.exec(hop) ?? [];
  return plainAddress(ipv4);
}

const MAPPED = /^::ffff:([0-9.]+)$/;

/**
 * The canonical spelling of an IP address; null for any other text. IPv6 is in lower case, shortened and without a
 * zone. An IPv4 address in IPv6 form (`::ffff:192.0.2.1`, in any spelling) becomes plain IPv4.
 */
export function plainAddress(text: string): string | null {
  const family = isIP(text);
  if (family !== 6) return family === 4 ? text : null;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  return MAPPED.exec(address)?.[1] ?? address;
}
