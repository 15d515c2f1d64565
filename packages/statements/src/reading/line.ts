import {
  type StatementLine,
  type StatementLineType,
  type StatementRow,
  typeOfDirection,
} from '@tidegate/domain/reconciliation';
import { asDecimal, type Hundredths } from './amounts.ts';
import { BadRow } from './bad-row.ts';

/** A line before its amounts are checked. */
export interface LineParts {
  lineNo: number;
  part?: number;
  type: StatementLineType;
  direction: 'in' | 'out';
  gross: Hundredths;
  fee?: Hundredths;
  tax?: Hundredths;
  currency: string;
  occurredAt: number | null;
  bookedOn: string;
  channelRef?: string | null;
  orderNo?: string | null;
  bankRef?: string | null;
  settlementRef?: string | null;
  balanceAfter?: Hundredths | null;
}

/**
 * Makes the row of a line. Its type is never of the other direction than its money. `net` is computed from the other
 * amounts. Throws BadRow for negative amounts.
 */
export function lineRow(parts: LineParts): StatementRow & { kind: 'line' } {
  const { gross, fee = 0n, tax = 0n, direction, balanceAfter = null } = parts;
  const net = netOf(parts);
  if (gross < 0n) throw new BadRow('the amount is negative');
  if (fee < 0n || tax < 0n) throw new BadRow('the fee is negative');
  if (net < 0n) throw new BadRow('the fee is more than the amount');
  const line: StatementLine = {
    lineNo: parts.lineNo,
    part: parts.part ?? 0,
    type: typeOfDirection(parts.type, direction),
    direction,
    gross: asDecimal(gross),
    fee: asDecimal(fee),
    tax: asDecimal(tax),
    net: asDecimal(net),
    currency: parts.currency,
    occurredAt: parts.occurredAt,
    bookedOn: parts.bookedOn,
    channelRef: parts.channelRef ?? null,
    orderNo: parts.orderNo ?? null,
    bankRef: parts.bankRef ?? null,
    settlementRef: parts.settlementRef ?? null,
    balanceAfter: balanceAfter === null ? null : asDecimal(balanceAfter),
  };
  return { kind: 'line', line };
}

export function netOf({
  direction,
  gross,
  fee = 0n,
  tax = 0n,
}: Pick<LineParts, 'direction' | 'gross' | 'fee' | 'tax'>) {
  return direction === 'in' ? gross - fee - tax : gross + fee + tax;
}

/**
 * The currency of a row. A row in another currency than that of the account is a line too. So operators see it with its
 * order. Throws BadRow if it is no currency code.
 */
export function readCurrency(found: unknown): string {
  const code = typeof found === 'string' ? found.trim().toUpperCase() : '';
  if (!/^[A-Z]{3}$/.test(code)) throw new BadRow('the currency is not a currency code');
  return code;
}

/** The same for amounts in minor units. Throws BadRow if those of the currency are no hundredths. */
export function readCurrencyOfHundredths(found: unknown, usual: string): string {
  const currency = readCurrency(found);
  if (currency !== usual && otherDecimals.has(currency))
    throw new BadRow('the minor units of its currency are no hundredths');
  return currency;
}

/** Currencies with no, three or four decimals (ISO 4217, list one). */
const otherDecimals: ReadonlySet<string> = new Set(
  (
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF ' + 'BHD IQD JOD KWD LYD OMR TND CLF UYW'
  ).split(' '),
);

/** For formats whose statements have one currency. */
export function requireCurrency(found: unknown, expected: string): void {
  if (readCurrency(found) !== expected) throw new BadRow('another currency');
}
