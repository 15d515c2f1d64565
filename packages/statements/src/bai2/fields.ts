import type { Hundredths } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { dayText } from '../reading/dates.ts';

/** An amount of a record 03. */
export interface Balance {
  code: string;
  amount: Hundredths;
}

/** An amount without a decimal point: the last two digits are hundredths. Empty means 0. Throws BadRow. */
export function readAmountInHundredths(text: string, what: string): Hundredths {
  if (text === '') return 0n;
  if (!/^[+-]?\d{1,17}$/.test(text)) throw new BadRow(`${what} is not an amount`);
  return BigInt(text.startsWith('+') ? text.slice(1) : text);
}

/** `YYMMDD` of the years 2000 to 2099, as `YYYY-MM-DD`. Throws BadRow. */
export function readBaiDay(text: string): string {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  if (year === undefined) throw new BadRow('the date cannot be read');
  return dayText({ year: 2000 + Number(year), month: Number(month), day: Number(day) });
}

/** Index of the first field after the funds type and its details. Throws BadRow. */
export function skipFundsType(fields: readonly string[], at: number): number {
  const type = fields[at]?.trim() ?? '';
  switch (type) {
    case '':
    case 'Z':
    case '0':
    case '1':
    case '2':
      return at + 1;
    case 'V':
      return at + 3;
    case 'S':
      return at + 4;
    case 'D': {
      const count = Number(fields[at + 1]);
      if (!Number.isSafeInteger(count) || count < 0 || count > 100) throw new BadRow('the funds type cannot be read');
      return at + 2 + 2 * count;
    }
    default:
      throw new BadRow('the funds type is not known');
  }
}

/**
 * The balances and sums of a record 03: code, amount, number of items, funds type, and so on. Empty fields before a code
 * are skipped: some banks end each line with surplus commas. The control totals show whether it was read as it was meant.
 * Throws BadRow.
 */
export function readBalances(fields: readonly string[]): Balance[] {
  const balances: Balance[] = [];
  for (let at = 2; at < fields.length; ) {
    const code = fields[at]?.trim() ?? '';
    if (code === '') {
      at += 1;
      continue;
    }
    if (!/^\d{3}$/.test(code)) throw new BadRow('a code of a balance cannot be read');
    balances.push({ code, amount: readAmountInHundredths(fields[at + 1]?.trim() ?? '', 'a balance') });
    at = skipFundsType(fields, at + 3);
  }
  return balances;
}
