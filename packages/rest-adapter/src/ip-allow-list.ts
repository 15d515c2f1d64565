import { BlockList, isIP } from 'node:net';

/** Whether a merchant's allow list (addresses and CIDR networks; null: everyone) lets this address in (decisions 1, 40302). */
export function isAddressAllowed(allowList: readonly string[] | null, address: string | null): boolean {
  if (allowList === null) return true;
  if (address === null) return false;
  const family = isIP(address);
  // An IPv4 address that came in over an IPv6 socket (::ffff:192.0.2.1) is checked as the IPv4 address that it is.
  return family !== 0 && networksOf(allowList).check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Lists stay the same objects for as long as a merchant's profile is kept. */
const known = new WeakMap<readonly string[], BlockList>();

function networksOf(allowList: readonly string[]): BlockList {
  const kept = known.get(allowList);
  if (kept) return kept;
  const networks = new BlockList();
  for (const entry of allowList) addEntry(networks, entry.trim());
  known.set(allowList, networks);
  return networks;
}

/** An entry that is no network lets nobody in. */
function addEntry(networks: BlockList, entry: string): void {
  const [address = '', prefix] = entry.split('/');
  const family = isIP(address);
  const bits = family === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : /^[0-9]{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if (family === 0 || length < 0 || length > bits) return;
  networks.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
}
