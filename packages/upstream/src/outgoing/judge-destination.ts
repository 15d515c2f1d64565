import { type BlockList, isIP } from 'node:net';
import { mayReach, readNotifyUrl } from '@tidegate/domain/channels';
import { OutgoingFailure } from './outgoing-failure.ts';
import type { Resolve } from './resolve-name.ts';

/** Where one connection may go to, and nowhere else: `addresses` are IP addresses, all of them judged. */
export interface Destination {
  url: URL;
  /** The name or IP address that a certificate has to be for. */
  host: string;
  port: number;
  addresses: readonly string[];
}

/**
 * Judges a URL as decisions 8 says, anew for each connection: its text, and every address that its host gives now. One address that is not public condemns the
 * whole name. Throws a OutgoingFailure: `forbidden_url`, `forbidden_address` (with that address) or `dns`.
 */
export async function judgeDestination(text: string, allowed: BlockList, resolve: Resolve): Promise<Destination> {
  const read = readNotifyUrl(text);
  if (!read.ok) throw new OutgoingFailure('forbidden_url', null, { cause: read.problem });
  const { url, host, port } = read;
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const forbidden = addresses.find((address) => !mayReach(address, allowed));
  if (forbidden !== undefined) throw new OutgoingFailure('forbidden_address', withPort(forbidden, port));
  return { url, host, port, addresses };
}

/** An address and its port as the attempt log keeps them. */
export function withPort(address: string, port: number): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}
