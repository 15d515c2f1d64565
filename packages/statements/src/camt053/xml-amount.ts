import { type Hundredths, readAmount } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';

/** Characters of an amount. ISO 20022 allows 18 digits. */
const longestAmount = 30;

/** Reads an xs:decimal: with a plus, without digits on one side of the point, or with zeros after the second decimal. */
export function readXmlAmount(text: string): Hundredths {
  const number = text.trim();
  const [, sign = '', whole = '', decimals = ''] =
    (number.length <= longestAmount && /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(number)) || [];
  if (whole + decimals === '') throw new BadRow('the amount is not an amount');
  const cents = /^\d{2}0*$/.test(decimals) ? decimals.slice(0, 2) : decimals.padEnd(2, '0');
  return readAmount(`${sign}${whole || '0'}.${cents}`, 'the amount');
}
