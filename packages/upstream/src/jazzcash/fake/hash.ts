import { createHmac } from 'node:crypto';

/** Values as JazzCash sends them. */
export type Values = Record<string, string | null>;

/** `pp_SecureHash` as the guide of 2026 describes it: non-empty values in the order of their names, after the salt. */
export function hashOf(values: Values, salt: string): string {
  const hmac = createHmac('sha256', salt);
  hmac.update(salt);
  for (const [name, value] of Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (name.startsWith('pp') && name !== 'pp_SecureHash' && value !== null && value !== '') hmac.update(`&${value}`);
  }
  return hmac.digest('hex').toUpperCase();
}

export function withHash(values: Values, salt: string): Values {
  return { ...values, pp_SecureHash: hashOf(values, salt) };
}
