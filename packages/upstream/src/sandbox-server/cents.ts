/** `'12.30'` to `1230n`. The text has exactly two decimals. */
export function toCents(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** `1230n` to `'12.30'`. Not for negative amounts. */
export function fromCents(cents: bigint): string {
  const digits = cents.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
