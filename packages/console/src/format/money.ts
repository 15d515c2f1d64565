/** Currencies whose figures are grouped as in 12,34,567. */
const GROUPED_BY_LAKH = new Set(['INR', 'PKR']);

const formats = new Map<string, Intl.NumberFormat>();

/** A decimal text with groups, for example `1,00,000.00` for INR. Never turned into a floating-point number. */
export function groupDigits(amount: string, currency: string): string {
  const decimals = Math.min(20, amount.split('.')[1]?.length ?? 0);
  const locale = GROUPED_BY_LAKH.has(currency) ? 'en-IN' : 'en';
  const key = `${locale} ${decimals}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    formats.set(key, format);
  }
  return format.format(amount as Intl.StringNumericLiteral).replace(/^-/, '\u2212');
}

/** A count with groups, for example `12,345`. */
export function groupCount(count: number): string {
  return groupDigits(String(count), '');
}
