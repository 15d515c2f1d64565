import { BlockList, type IPVersion, isIP } from 'node:net';

/**
 * Networks that lead to this machine (loopback, and the unspecified address), or to its link (link-local). Link-local
 * ones contain the metadata services of clouds. Private networks are not among them.
 */
const localNetworks: readonly [address: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['::', 127],
  ['fe80::', 10],
];

/** Whether a network overlaps with one of `localNetworks`. False for invalid text, which another check reports. */
export function reachesThisMachine(network: string): boolean {
  const [address = '', size = ''] = network.split('/');
  if (isIP(address) === 0) return false;
  const prefix = size === '' ? (isIP(address) === 4 ? 32 : 128) : Number(size);
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > (isIP(address) === 4 ? 32 : 128)) return false;
  // If two networks overlap, one of them contains the first address of the other.
  return localNetworks.some(
    ([theirs, theirPrefix]) => holds(theirs, theirPrefix, address) || holds(address, prefix, theirs),
  );
}

function holds(network: string, prefix: number, address: string): boolean {
  const list = new BlockList();
  list.addSubnet(network, prefix, versionOf(network));
  return list.check(address, versionOf(address));
}

function versionOf(address: string): IPVersion {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
