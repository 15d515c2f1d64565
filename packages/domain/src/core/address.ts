import { BlockList, isIP } from 'node:net';
import { readNetwork } from '@tidegate/settings/network';

/**
 * Special-purpose IPv4 ranges of the IANA registry, and multicast: never a merchant's public address (decisions 8).
 */
export const specialIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * Special ranges within 2000::/3, the only IPv6 space with public unicast addresses. For 2002::/16 and 2001::/32 the
 * address inside counts.
 */
export const specialIPv6 = ['2001::/23', '2001:db8::/32', '2620:4f:8000::/48', '3fff::/20'];

const special = networks([...specialIPv4, ...specialIPv6]);
const publicIPv6 = networks(['2000::/3']);

/** A set of networks, each written as address/prefix. Throws on anything else. */
export function networks(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const network = readNetwork(cidr);
    if (network === null || network.prefix === null)
      throw new Error(`not a network: ${cidr} (write it as 10.0.0.0/8 or fd00::/8)`);
    list.addSubnet(network.address, network.prefix, network.family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Whether a notification may go to this IP address: public unicast, or in one of the `allowed` networks (decisions 8). */
export function mayReach(address: string, allowed: BlockList): boolean {
  const family = isIP(address);
  // A zone names an interface of this machine, so the address is not public.
  if (family === 0 || address.includes('%')) return false;
  // Stryker disable next-line StringLiteral: for a check Node takes every other word than ipv4 as ipv6.
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (allowed.check(address, type)) return true;
  const isSpecial = special.check(address, type);
  if (family === 4) return !isSpecial;
  const groups = groupsOf(address);
  const inner = embeddedIPv4(groups);
  if (inner !== null) return inner.every((one) => mayReach(one, allowed));
  if (isSpecial || !publicIPv6.check(address, type)) return false;
  const site = isatapIPv4(groups);
  return site === null || mayReach(site, allowed);
}

/**
 * The IPv4 addresses inside a mapped, NAT64, 6to4 or Teredo address (server and client); null for any other address.
 */
function embeddedIPv4(groups: readonly number[]): string[] | null {
  const zero = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  if (zero(0, 5) && groups[5] === 0xffff) return [ipv4At(groups, 6)];
  if (groups[0] === 0x64 && groups[1] === 0xff9b && zero(2, 6)) return [ipv4At(groups, 6)];
  if (groups[0] === 0x2002) return [ipv4At(groups, 1)];
  if (groups[0] === 0x2001 && groups[1] === 0) return [ipv4At(groups, 2), ipv4At(groups, 6, 0xffff)];
  return null;
}

/** The IPv4 address in an ISATAP interface identifier (RFC 5214). A tunnel of the site would lead to it. */
function isatapIPv4(groups: readonly number[]): string | null {
  return ((groups[4] ?? 0) & 0xfcff) === 0 && groups[5] === 0x5efe ? ipv4At(groups, 6) : null;
}

function ipv4At(groups: readonly number[], index: number, mask = 0): string {
  const [high = 0, low = 0] = [groups[index], groups[index + 1]].map((group) => (group ?? 0) ^ mask);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** The eight 16-bit groups of an IPv6 address without a zone, in any spelling that `isIP` accepts. */
function groupsOf(address: string): number[] {
  const group = (high: string, low: string): string => ((Number(high) << 8) | Number(low)).toString(16);
  const hex = address.replace(
    /([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})/,
    (_, a, b, c, d) => `${group(a, b)}:${group(c, d)}`,
  );
  const written = (text: string): string[] => text.split(':').filter((one) => one !== '');
  const full = hex.replace('::', `:${'0:'.repeat(8 - written(hex).length)}`);
  return written(full).map((one) => Number.parseInt(one, 16));
}
