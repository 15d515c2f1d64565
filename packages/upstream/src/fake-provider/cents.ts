// Money in fakes is decimal text or whole cents, never a fraction.

/** `'12.5'` to `1250`. For text of digits with at most two decimals. */
export function toCents(amount: string): number {
  const [whole = '', decimals = ''] = amount.split('.');
  return Number(whole + decimals.padEnd(2, '0'));
}

/** `1250` to `'12.50'`. */
export function fromCents(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
