import { type BlockList, isIP } from 'node:net';
import { mayReach, readNotifyUrl } from '@tidegate/domain/channels';
import { OutgoingFailure } from './outgoing-failure.ts';
import type { Resolve } from './resolve-name.ts';

/** The allowed destination of one connection. All of its `addresses` have been checked. */
export interface Destination {
  url: URL;
  /** The name or IP address for which a certificate must be valid. */
  host: string;
  port: number;
  addresses: readonly string[];
}

/**
 * Checks a URL by decisions 8, again for each connection: its text, and every current address of its host. The name is
 * refused if one of these addresses is not public. Throws an OutgoingFailure: `forbidden_url`, `forbidden_address`
 * (with that address) or `dns`.
 */
export async function checkDestination(text: string, allowed: BlockList, resolve: Resolve): Promise<Destination> {
  const read = readNotifyUrl(text);
  if (!read.ok) throw new OutgoingFailure('forbidden_url', null, { cause: read.problem });
  const { url, host, port } = read;
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const forbidden = addresses.find((address) => !mayReach(address, allowed));
  if (forbidden !== undefined) throw new OutgoingFailure('forbidden_address', withPort(forbidden, port));
  return { url, host, port, addresses };
}

/** An address and its port, as in the attempt log. */
export function withPort(address: string, port: number): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}
