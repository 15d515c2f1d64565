import { BlockList, type IPVersion, isIP } from 'node:net';
import { readNetwork } from './network.ts';

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
  const read = readNetwork(network);
  if (!read) return false;
  const { address, family, prefix } = read;
  const size = prefix ?? (family === 4 ? 32 : 128);
  // If two networks overlap, one of them contains the first address of the other.
  return localNetworks.some(
    ([theirs, theirPrefix]) => holds(theirs, theirPrefix, address) || holds(address, size, theirs),
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
