/** `1500.00` rupees are `150000` paisa: the last two digits of `pp_Amount` are decimals. Null for other text. */
export function toPaisa(amount: string): string | null {
  const parts = /^([0-9]{1,12})\.([0-9]{2})$/.exec(amount);
  if (!parts) return null;
  const paisa = `${parts[1]}${parts[2]}`.replace(/^0+/, '');
  return paisa === '' ? null : paisa;
}

/** Paisa as decimal text in rupees, as the port wants it. Null for text that is no positive amount. */
export function fromPaisa(paisa: string): string | null {
  if (!/^[0-9]{1,14}$/.test(paisa)) return null;
  const digits = paisa.replace(/^0+/, '').padStart(3, '0');
  return /[1-9]/.test(digits) ? `${digits.slice(0, -2)}.${digits.slice(-2)}` : null;
}
