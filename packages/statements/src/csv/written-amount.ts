import { type Hundredths, readGroupedAmount } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';

/** What banks write beside an amount in their currency, besides its code. */
const symbols: Readonly<Record<string, readonly string[]>> = {
  CNY: ['\u00a5', '\uffe5'],
  INR: ['\u20b9', 'Rs.', 'Rs'],
  PKR: ['\u20a8', 'Rs.', 'Rs'],
  THB: ['\u0e3f'],
};

/** Whether a cell has no amount. Some banks write a dash there. */
export function isNoAmount(text: string): boolean {
  return /^[-\u2013\u2014]{0,2}$/.test(text);
}

/**
 * Reads an amount as banks write it for people: with its currency, and with a minus before or behind it. `(5.00)` and `5.00 Dr`
 * have a minus too, `5.00 Cr` has none. Throws BadRow for an amount in another currency, or with two signs.
 */
export function readWrittenAmount(
  text: string,
  { decimalSign, currency, what }: { decimalSign: '.' | ','; currency: string; what: string },
): Hundredths {
  const plain = withoutCurrency(text.replaceAll('\u2212', '-'), currency);
  const { number, isNegative } = withoutSign(plain);
  if (isNegative !== null && /^[+-]/.test(number)) throw new BadRow(`${what} has two signs`);
  const amount = readGroupedAmount(withoutCurrency(withoutZeros(number, decimalSign), currency), decimalSign, what);
  return isNegative === true ? -amount : amount;
}

/** `isNegative` is null if the number has no sign, or one before it. */
function withoutSign(text: string): { number: string; isNegative: boolean | null } {
  const inParentheses = /^\((.*)\)$/s.exec(text)?.[1];
  if (inParentheses !== undefined) return { number: inParentheses.trim(), isNegative: true };
  const [, number, mark] = /^(.*?[0-9])\s*(-|\+|\(?(?:Cr|Dr)\.?\)?)$/is.exec(text) ?? [];
  if (number === undefined || mark === undefined) return { number: text, isNegative: null };
  return { number, isNegative: mark === '-' || /d/i.test(mark) };
}

/** The currency may be before or behind the amount, and before or behind its minus. */
function withoutCurrency(text: string, currency: string): string {
  const names = [currency, ...(symbols[currency] ?? [])].map((name) => name.toLowerCase());
  const trimmed = text.trim();
  const [sign = ''] = /^[+-]/.exec(trimmed) ?? [];
  const rest = trimmed.slice(sign.length).trim();
  const lower = rest.toLowerCase();
  const before = names.find((name) => lower.startsWith(name));
  if (before !== undefined) return sign + rest.slice(before.length).trim();
  const behind = names.find((name) => lower.endsWith(name));
  return sign + (behind === undefined ? rest : rest.slice(0, -behind.length).trim());
}

/** Databases write `5.0000`. Three decimals stay: they could be the thousands of another decimal sign. */
function withoutZeros(number: string, decimalSign: '.' | ','): string {
  const [whole = '', decimals = '', ...others] = number.split(decimalSign);
  const isLonger = others.length === 0 && /^[0-9]{2}0{2,8}$/.test(decimals);
  return isLonger ? `${whole}${decimalSign}${decimals.slice(0, 2)}` : number;
}
