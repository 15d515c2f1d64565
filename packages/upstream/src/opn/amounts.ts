// Opn counts in satang, the hundredth part of a baht. These two functions are the only conversions.

const baht = /^(0|[1-9][0-9]{0,12})\.[0-9]{2}$/;

/** `'250.50'` to `25050`. Null for text that is no amount with two decimals. */
export function toSatang(amount: string): number | null {
  return baht.test(amount) ? Number(amount.replace('.', '')) : null;
}

/** `25050` to `'250.50'`. Only for whole numbers that are not negative. */
export function fromSatang(satang: number): string {
  const digits = String(satang).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
