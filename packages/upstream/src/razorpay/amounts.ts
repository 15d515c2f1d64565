// Razorpay counts paise, as JSON integers. Amounts of Tidegate are decimal text. This is the only conversion.

/** At most 13 digits of paise, far below the largest exact integer of JSON. */
const amountText = /^(0|[1-9][0-9]{0,10})\.[0-9]{2}$/;

/** Paise of a decimal text with two decimals. Null: not an amount above zero, or too large to be sent exactly. */
export function toPaise(amount: string): number | null {
  if (!amountText.test(amount)) return null;
  const paise = Number(amount.replace('.', ''));
  return paise > 0 ? paise : null;
}

/** Decimal text with two decimals of whole paise. */
export function fromPaise(paise: number): string {
  const digits = String(paise).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
