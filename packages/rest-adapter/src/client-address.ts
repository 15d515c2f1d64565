import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The address that a request comes from. With `trustedProxies` = n the last n hops are ours, and each wrote down whom it
 * was asked by: the n-th entry of X-Forwarded-For from the right is the caller, and whatever stands before it is only its
 * claim. With 0 the header means nothing. Null where the address cannot be told.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string | null {
  const peer = request.socket.remoteAddress ?? null;
  if (trustedProxies === 0) return peer;
  const hops = (request.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',');
  const address = hops.at(-trustedProxies)?.trim() ?? '';
  return isIP(address) === 0 ? null : address;
}
