/**
 * The source that failed attempts are counted for: an IPv4 address, or the network of an IPv6 address (/64), because one
 * client has all addresses of it. `address` is as `clientAddress` returns it. Unknown addresses are one source.
 */
export function sourceOf(address: string | null): string {
  if (address === null) return 'unknown';
  if (!address.includes(':')) return address;
  const [left = '', right] = address.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros = right === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array.from({ length: zeros }, () => '0'), ...tail].slice(0, 4).join(':');
}
