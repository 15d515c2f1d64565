import type {
  CsvColumns,
  CsvProfile,
  StatementLineType,
  StatementOptions,
  StatementRow,
} from '@tidegate/domain/reconciliation';
import type { Limits } from '../limits.ts';
import { absolute, type Hundredths, readGroupedAmount } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { dayText, instantOf } from '../reading/dates.ts';
import { lineRow, netOf, readCurrency } from '../reading/line.ts';
import { readReference } from '../reading/references.ts';
import type { RunningBalance } from '../reading/running-balance.ts';
import { type Places, sameName } from './columns.ts';
import { readDate } from './date-format.ts';

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
  const cell: Cell = (column) => cells[places.of.get(column) ?? -1]?.trim() ?? '';
  if (!isMoney(cell, profile)) return [];
  const { type, ...moved } = readMovement(cell, profile);
  const currency = profile.columns.currency === undefined ? options.currency : readCurrency(cell('currency'));
  const reference = (column: keyof CsvColumns) => readReference(cell(column), column, limits.referenceLength);
  const references = { channelRef: reference('channelRef'), orderNo: reference('orderNo') };
  const others = { bankRef: reference('bankRef'), settlementRef: reference('settlementRef') };
  const isNamed = Object.values({ ...references, ...others }).some((one) => one !== null);
  if (!isNamed && type !== 'fee' && type !== 'adjustment') throw new BadRow('it has no reference');
  const balanceAfter = cell('balanceAfter') === '' ? null : amountOf(cell, 'balanceAfter', profile);
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
    ...others,
  });
  if (balanceAfter === null || currency !== options.currency) balance?.skip();
  else {
    const change = direction === 'in' ? netOf(moved) : -netOf(moved);
    balance?.add(balanceAfter, change, when.occurredAt ?? Date.parse(when.bookedOn));
  }
  return [row];
}

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

function readMovement(cell: Cell, profile: CsvProfile): Movement {
  const found = Object.entries(profile.types).find(([word]) => sameName(word) === sameName(cell('type')))?.[1];
  const type = found?.type ?? 'unknown';
  const { amount, direction } = readDirection(cell, profile, found?.direction);
  const [fee, tax] = (['fee', 'tax'] as const).map((column) =>
    cell(column) === '' ? 0n : absolute(amountOf(cell, column, profile)),
  ) as [Hundredths, Hundredths];
  const moved = { type, direction, gross: amount, fee, tax };
  if (profile.columns.net !== undefined && cell('net') !== '') {
    const net = absolute(amountOf(cell, 'net', profile));
    if (net !== netOf(moved)) throw new BadRow('amount, fee and net amount do not agree');
  }
  return moved;
}

function readDirection(
  cell: Cell,
  profile: CsvProfile,
  ofType: 'in' | 'out' | undefined,
): { amount: Hundredths; direction: 'in' | 'out' } {
  if (profile.direction.by === 'columns') {
    const [came, left] = (['in', 'out'] as const).map((column) =>
      cell(column) === '' ? 0n : absolute(amountOf(cell, column, profile)),
    ) as [Hundredths, Hundredths];
    if (came > 0n === left > 0n) throw new BadRow('a row has an amount in one of two columns');
    return came > 0n ? { amount: came, direction: 'in' } : { amount: left, direction: 'out' };
  }
  const amount = amountOf(cell, 'gross', profile);
  switch (profile.direction.by) {
    case 'sign':
      return { amount: absolute(amount), direction: amount < 0n ? 'out' : 'in' };
    case 'words':
      return { amount: absolute(amount), direction: directionOf(cell('direction'), profile.direction) };
    case 'type':
      if (ofType === undefined) throw new BadRow('its type is not in the profile');
      return { amount: absolute(amount), direction: ofType };
    default:
      return profile.direction satisfies never;
  }
}

function directionOf(word: string, words: { in: readonly string[]; out: readonly string[] }): 'in' | 'out' {
  if (isOneOf(words.in, word)) return 'in';
  if (isOneOf(words.out, word)) return 'out';
  throw new BadRow('its direction is not in the profile');
}

function isOneOf(words: readonly string[], word: string): boolean {
  return words.some((one) => sameName(one) === sameName(word));
}

function amountOf(cell: Cell, column: keyof CsvColumns, { decimalSign }: CsvProfile): Hundredths {
  return readGroupedAmount(cell(column), decimalSign, column);
}

function readWhen(cell: Cell, { profile, timeZone }: RowContext['options']) {
  const text = profile.columns.time === undefined ? cell('date') : `${cell('date')} ${cell('time')}`;
  const local = readDate(text, profile.dateFormat);
  const bookedOn = dayText(local);
  return { bookedOn, occurredAt: local.hour === undefined ? null : instantOf(local, timeZone) };
}
