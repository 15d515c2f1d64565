import { BadRow } from './bad-row.ts';

/** Amounts are hundredths, as bigint. No amount has more than 15 digits before the point. */
export type Hundredths = bigint;

const plain = /^([+-]?)([0-9]{1,15})(?:\.([0-9]{1,2}))?$/;

/**
 * Reads an amount like `12`, `12.3` or `-12.34`. Throws BadRow with the name `what` for anything else, for example more
 * than two decimals.
 */
export function readAmount(text: string, what: string): Hundredths {
  const [, sign, whole, decimals = ''] = plain.exec(text) ?? [];
  if (whole === undefined) {
    const why = /^[+-]?[0-9]+\.[0-9]{3,}$/.test(text) ? 'has more than two decimals' : 'is not an amount';
    throw new BadRow(`${what} ${why}`);
  }
  const value = BigInt(whole + decimals.padEnd(2, '0'));
  return sign === '-' ? -value : value;
}

/** An amount with digits in groups, for example `1,234.50`, or `1.234,50` with a decimal comma. */
export function readGroupedAmount(text: string, decimalSign: '.' | ',', what: string): Hundredths {
  const group = decimalSign === '.' ? ',' : '.';
  const [whole = '', ...decimals] = text.trim().split(decimalSign);
  if (decimals.length > 1) throw new BadRow(`${what} is not an amount`);
  const groups = whole.split(group);
  // Groups have three digits, or two (in India) before the last three.
  const isGrouped = groups.length > 1;
  if (isGrouped && !/^[+-]?[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}$/.test(groups.join(',')))
    throw new BadRow(`${what} is not an amount`);
  return readAmount([groups.join(''), ...decimals].join('.'), what);
}

/** Reads an integer of hundredths from JSON. */
export function readMinorUnits(value: unknown, what: string): Hundredths {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new BadRow(`${what} is not a whole number`);
  return BigInt(value);
}

/** Decimal text with two decimals. */
export function asDecimal(amount: Hundredths): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function absolute(amount: Hundredths): Hundredths {
  return amount < 0n ? -amount : amount;
}
