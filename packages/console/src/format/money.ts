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

/** An amount with its currency, as text within a sentence: `1,00,000.00 INR`. */
export function formatMoney(amount: string, currency: string): string {
  return `${groupDigits(amount, currency)} ${currency}`;
}

/** A count with groups, for example `12,345`. */
export function groupCount(count: number): string {
  return groupDigits(String(count), '');
}

/** A percentage in decimal text, `2.5000`, as `2.5 %`. */
export function formatPercent(percent: string): string {
  return `${groupDigits(percent.includes('.') ? percent.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : percent, '')} %`;
}

/** The sum of decimal texts, exact, with as many decimals as the longest has. */
export function sumAmounts(amounts: readonly string[]): string {
  const scale = Math.max(0, ...amounts.map((amount) => decimalsOf(amount)));
  const sum = amounts.reduce((total, amount) => total + scaled(amount, scale), 0n);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, '0');
  const sign = sum < 0n ? '-' : '';
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Negative if `a` is less than `b`, 0 if they are equal. */
export function compareAmounts(a: string, b: string): number {
  const scale = Math.max(decimalsOf(a), decimalsOf(b));
  const difference = scaled(a, scale) - scaled(b, scale);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

function decimalsOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}

function scaled(amount: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(`${whole}${fraction.padEnd(scale, '0')}`);
}
