import { isIP } from 'node:net';
import { readWholeNumber } from './whole-number.ts';

/** An address, or a network of addresses. */
export interface Network {
  address: string;
  family: 4 | 6;
  /** Null: the text is an address without a prefix. */
  prefix: number | null;
}

/** Reads `203.0.113.7` or `203.0.113.0/24`, also of IPv6; null for any other text. */
export function readNetwork(text: string): Network | null {
  const [address = '', size, ...rest] = text.length > 64 ? [] : text.split('/');
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || rest.length > 0) return null;
  if (size === undefined) return { address, family, prefix: null };
  const prefix = readWholeNumber(size, 0, family === 4 ? 32 : 128);
  return prefix === null ? null : { address, family, prefix };
}
