// Providers use hundredths: satang, paise, paisa. The service uses decimal text with two decimals.

/**
 * `'250.50'` to `25050`. Null for text that is no amount above zero with two decimals. At most 12 digits before the
 * point, as in orders, so the result is an exact integer in JSON.
 */
export function toMinorUnits(amount: string): number | null {
  if (!/^(0|[1-9][0-9]{0,11})\.[0-9]{2}$/.test(amount)) return null;
  const units = Number(amount.replace('.', ''));
  return units > 0 ? units : null;
}

/** `25050` to `'250.50'`. Only for whole numbers that are not negative. */
export function fromMinorUnits(units: number): string {
  const digits = String(units).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `'000025050'` to `'250.50'`. Null for text that is not 1 to 14 digits, and for zero. */
export function readMinorUnits(digits: string): string | null {
  if (!/^[0-9]{1,14}$/.test(digits)) return null;
  const units = Number(digits);
  return units > 0 ? fromMinorUnits(units) : null;
}
