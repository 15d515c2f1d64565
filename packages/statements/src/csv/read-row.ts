import {
  type CsvColumns,
  type CsvProfile,
  type StatementLineType,
  type StatementOptions,
  type StatementRow,
  sameName,
} from '@tidegate/domain/reconciliation';
import { absolute, type Hundredths } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { dayText, instantOf } from '../reading/dates.ts';
import type { Limits } from '../reading/limits.ts';
import { lineRow, netOf, readCurrency } from '../reading/line.ts';
import { findOrderNo } from '../reading/order-numbers.ts';
import { readReference } from '../reading/references.ts';
import type { RunningBalance } from '../reading/running-balance.ts';
import type { Places } from './columns.ts';
import { readDate } from './date-format.ts';
import { restoreCell, withoutGuard, withoutPadding } from './restore-cell.ts';
import { isNoAmount, readWrittenAmount } from './written-amount.ts';

export interface RowContext {
  options: StatementOptions & { profile: CsvProfile };
  limits: Limits;
  balance: RunningBalance | null;
}

type Cell = (column: keyof CsvColumns | 'status') => string;

/** Reads a row of a CSV. Returns its line; null if the profile says that such rows are to be ignored. */
export function readCsvRow(
  lineNo: number,
  cells: readonly string[] | null,
  places: Places,
  { options, limits, balance }: RowContext,
): StatementRow[] {
  const { profile } = options;
  if (cells === null) throw new BadRow('its quotes cannot be read');
  if (cells.length !== places.columns) throw new BadRow('another number of columns');
  const cell: Cell = (column) => withoutGuard(cells[places.of.get(column) ?? -1] ?? '');
  if (balance !== null && repeatsBalance(cell, options, balance)) return [];
  if (!isMoney(cell, profile)) return [];
  const currency = profile.columns.currency === undefined ? options.currency : readCurrency(cell('currency'));
  const written = { ...profile, currency };
  const { type, ...moved } = readMovement(cell, written);
  const reference = (column: keyof CsvColumns) =>
    readReference(restoreCell(cell(column), column), column, limits.referenceLength);
  const others = { channelRef: reference('channelRef'), bankRef: withoutPadding(reference('bankRef')) };
  const orderNo = findOrderNo([reference('orderNo')], [others.bankRef ?? '', others.channelRef ?? '', cell('text')]);
  const references = { ...others, orderNo, settlementRef: reference('settlementRef') };
  const isNamed = Object.values(references).some((one) => one !== null);
  const hasColumn = referenceColumns.some((column) => profile.columns[column] !== undefined);
  if (!isNamed && hasColumn && type !== 'fee' && type !== 'adjustment') throw new BadRow('it has no reference');
  const balanceAfter = isNoAmount(cell('balanceAfter')) ? null : amountOf(cell, 'balanceAfter', written);
  const { direction } = moved;
  const when = readWhen(cell, options);
  const row = lineRow({
    lineNo,
    type,
    ...moved,
    currency,
    ...when,
    balanceAfter,
    ...references,
  });
  if (balanceAfter === null || currency !== options.currency) balance?.skip();
  else {
    const change = direction === 'in' ? netOf(moved) : -netOf(moved);
    balance?.add(balanceAfter, change, when.occurredAt ?? Date.parse(when.bookedOn));
  }
  return [row];
}

/**
 * Whether a row has nothing but a balance, which is that of the rows beside it: banks write such rows before the first row, after
 * the last one, and on a new page.
 */
function repeatsBalance(cell: Cell, options: RowContext['options'], balance: RunningBalance): boolean {
  const { profile, currency } = options;
  const isWithout = (columns: readonly (keyof CsvColumns)[]) => columns.every((column) => isNoAmount(cell(column)));
  if (isNoAmount(cell('balanceAfter')) || !isWithout(amountColumns) || !isWithout(referenceColumns)) return false;
  return balance.repeat(amountOf(cell, 'balanceAfter', { ...profile, currency }));
}

const amountColumns = ['gross', 'in', 'out', 'fee', 'tax', 'net'] as const;
const referenceColumns = ['channelRef', 'orderNo', 'bankRef', 'settlementRef'] as const;

/**
 * Whether the status of a row means that money moved. Throws BadRow for a word that is not in the profile, because its
 * meaning is unknown.
 */
function isMoney(cell: Cell, { status }: CsvProfile): boolean {
  if (status === undefined || isOneOf(status.money, cell('status'))) return true;
  if (isOneOf(status.none, cell('status'))) return false;
  throw new BadRow('its status is not in the profile');
}

interface Movement {
  type: StatementLineType;
  direction: 'in' | 'out';
  gross: Hundredths;
  fee: Hundredths;
  tax: Hundredths;
}

/** A profile, with the currency of a row. */
type Written = CsvProfile & { currency: string };

function readMovement(cell: Cell, profile: Written): Movement {
  const found = Object.entries(profile.types).find(([word]) => sameName(word) === sameName(cell('type')))?.[1];
  const type = found?.type ?? 'unknown';
  const { amount, direction } = readDirection(cell, profile, found?.direction);
  const net = profile.columns.net === undefined || isNoAmount(cell('net')) ? null : amountOf(cell, 'net', profile);
  const charge = (column: 'fee' | 'tax'): Hundredths => {
    const charged = isNoAmount(cell(column)) ? 0n : amountOf(cell, column, profile);
    if (charged < 0n && net === null && profile.negative !== 'out') throw new BadRow(unexplained(column));
    return absolute(charged);
  };
  const moved = { type, direction, gross: amount, fee: charge('fee'), tax: charge('tax') };
  if (net !== null && absolute(net) !== netOf(moved)) throw new BadRow('amount, fee and net amount do not agree');
  if (net !== null && net < 0n && direction === 'in') throw new BadRow('its net amount left, its amount came in');
  return moved;
}

function readDirection(
  cell: Cell,
  profile: Written,
  ofType: 'in' | 'out' | undefined,
): { amount: Hundredths; direction: 'in' | 'out' } {
  if (profile.direction.by === 'columns') {
    const [came, left] = (['in', 'out'] as const).map((column) =>
      isNoAmount(cell(column)) ? 0n : amountOf(cell, column, profile),
    ) as [Hundredths, Hundredths];
    if ((came === 0n) === (left === 0n)) throw new BadRow('a row has an amount in one of two columns');
    return came === 0n ? withSign(left, 'out', 'out', profile) : withSign(came, 'in', 'in', profile);
  }
  const amount = amountOf(cell, 'gross', profile);
  switch (profile.direction.by) {
    case 'sign':
      return { amount: absolute(amount), direction: amount < 0n ? 'out' : 'in' };
    case 'words':
      return withSign(amount, directionOf(cell('direction'), profile.direction), 'gross', profile);
    case 'type':
      if (ofType === undefined) throw new BadRow('its type is not in the profile');
      return withSign(amount, ofType, 'gross', profile);
    default:
      return profile.direction satisfies never;
  }
}

/** An amount whose direction the row also says in another way. Only the profile knows what a minus beside it means. */
function withSign(
  amount: Hundredths,
  stated: 'in' | 'out',
  column: keyof CsvColumns,
  { negative }: CsvProfile,
): { amount: Hundredths; direction: 'in' | 'out' } {
  if (amount >= 0n || (negative === 'out' && stated === 'out')) return { amount: absolute(amount), direction: stated };
  if (negative === 'reversal') return { amount: -amount, direction: stated === 'in' ? 'out' : 'in' };
  throw new BadRow(unexplained(column));
}

const unexplained = (column: keyof CsvColumns): string =>
  `${column} has a minus, and the profile does not say what it means there`;

function directionOf(word: string, words: { in: readonly string[]; out: readonly string[] }): 'in' | 'out' {
  if (isOneOf(words.in, word)) return 'in';
  if (isOneOf(words.out, word)) return 'out';
  throw new BadRow('its direction is not in the profile');
}

function isOneOf(words: readonly string[], word: string): boolean {
  return words.some((one) => sameName(one) === sameName(word));
}

function amountOf(cell: Cell, column: keyof CsvColumns, { decimalSign, currency }: Written): Hundredths {
  return readWrittenAmount(restoreCell(cell(column), column), { decimalSign, currency, what: column });
}

function readWhen(cell: Cell, { profile, timeZone }: RowContext['options']) {
  const text = profile.columns.time === undefined ? cell('date') : `${cell('date')} ${cell('time')}`;
  const local = readDate(text, profile.dateFormat, profile.calendar);
  const bookedOn = dayText(local);
  return { bookedOn, occurredAt: local.hour === undefined ? null : instantOf(local, timeZone) };
}
