import { BlockList, isIP } from 'node:net';
import { plainAddress } from '@tidegate/process';
import { readNetwork } from '@tidegate/settings/network';

/**
 * Whether a merchant's allow list (addresses and CIDR networks; null: everyone) contains this address (decisions 1,
 * 40302). `address` is as `clientAddress` returns it. IPv4 networks match IPv4 addresses, and IPv6 networks IPv6 ones.
 */
export function isAddressAllowed(allowList: readonly string[] | null, address: string | null): boolean {
  if (allowList === null) return true;
  if (address === null) return false;
  const { ipv4, ipv6 } = networksOf(allowList);
  return isIP(address) === 4 ? ipv4.check(address, 'ipv4') : ipv6.check(address, 'ipv6');
}

/** Two lists, because in one common list an IPv4 address would match the IPv6 network `::/0`. */
interface Networks {
  ipv4: BlockList;
  ipv6: BlockList;
}

/** A list is the same object as long as the merchant's profile is cached. */
const known = new WeakMap<readonly string[], Networks>();

function networksOf(allowList: readonly string[]): Networks {
  const kept = known.get(allowList);
  if (kept) return kept;
  const networks = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of allowList) addEntry(networks, entry.trim());
  known.set(allowList, networks);
  return networks;
}

/** An invalid entry matches no address. */
function addEntry({ ipv4, ipv6 }: Networks, entry: string): void {
  const read = readNetwork(entry);
  const address = plainAddress(read?.address ?? '');
  if (read === null || address === null) return;
  const bits = read.family === 4 ? 32 : 128;
  const length = read.prefix ?? bits;
  // A mapped network, ::ffff:192.0.2.0/120, is an IPv4 network, unless it is larger than all of IPv4.
  const ipv4Length = length - (bits - 32);
  if (isIP(address) === 6) ipv6.addSubnet(address, length, 'ipv6');
  else if (ipv4Length >= 0) ipv4.addSubnet(address, ipv4Length, 'ipv4');
}
