import { createHmac, timingSafeEqual } from 'node:crypto';

/** The fields of a request, an answer or a notification. An absent value is empty text. */
export type Fields = Record<string, string>;

export interface HashKey {
  /** JazzCash calls it integrity salt, hash key or shared secret. */
  integritySalt: string;
  /** The published pages disagree: the guides of 2026 leave empty values out, the older pages hash all fields. */
  hashesEmptyValues: boolean;
}

const hashField = 'pp_SecureHash';

/**
 * `pp_SecureHash`: HMAC-SHA256 in capital hexadecimal digits. It covers the salt and the values of all `pp` fields,
 * sorted by name and joined by `&`, without their names.
 */
export function secureHash(fields: Fields, { integritySalt, hashesEmptyValues }: HashKey): string {
  const names = Object.keys(fields).filter((name) => /^pp/i.test(name) && name !== hashField);
  const values = names.toSorted().map((name) => fields[name] ?? '');
  const text = [integritySalt, ...values.filter((value) => hashesEmptyValues || value !== '')].join('&');
  return createHmac('sha256', integritySalt).update(text, 'utf8').digest('hex').toUpperCase();
}

/** The fields with their hash. */
export function signed(fields: Fields, key: HashKey): Fields {
  return { ...fields, [hashField]: secureHash(fields, key) };
}

/** Whether the fields have the right hash by one of these keys. Upper and lower case do not matter. */
export function isAuthentic(fields: Fields, keys: readonly HashKey[]): boolean {
  const signature = (fields[hashField] ?? '').toUpperCase();
  if (!/^[0-9A-F]{64}$/.test(signature)) return false;
  return keys.some((key) => timingSafeEqual(Buffer.from(signature), Buffer.from(secureHash(fields, key))));
}
