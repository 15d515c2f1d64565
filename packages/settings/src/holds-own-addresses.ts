import { BlockList, type IPVersion, isIP } from 'node:net';

/** This machine, and what is on its own link: there the metadata services of clouds are. */
const own: readonly [address: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['::', 127],
  ['fe80::', 10],
];

/** Whether a network has an address in common with those. What is no network is for others to refuse. */
export function holdsOwnAddresses(network: string): boolean {
  const [address = '', size = ''] = network.split('/');
  if (isIP(address) === 0) return false;
  const prefix = size === '' ? (isIP(address) === 4 ? 32 : 128) : Number(size);
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > (isIP(address) === 4 ? 32 : 128)) return false;
  // Of two networks that meet, one holds the first address of the other.
  return own.some(([theirs, theirPrefix]) => holds(theirs, theirPrefix, address) || holds(address, prefix, theirs));
}

function holds(network: string, prefix: number, address: string): boolean {
  const list = new BlockList();
  list.addSubnet(network, prefix, versionOf(network));
  return list.check(address, versionOf(address));
}

function versionOf(address: string): IPVersion {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
