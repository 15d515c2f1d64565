import { type StatementLine, type StatementRow, type StatementSummary, typeOfDirection } from '../statement.ts';
import { type ExpectedAccount, problemOfAccounts } from './decide-account.ts';

/** The limits of a file. A file above them is refused. */
const fileLimits = { lines: 2_000_000, unparsed: 1_000, foreign: 1_000, days: 400, summaries: 1_000 } as const;

/** Sums over the rows of a file so far: net amounts in minor units. */
export interface FileTotals {
  readonly lines: number;
  /** Rows, unparsed ones included. The parts of a row come one after the other, and count once. */
  readonly rows: number;
  readonly lastLineNo: number | null;
  readonly unparsed: number;
  /** Lines in another currency than that of the account. The sums leave them out. */
  readonly foreign: number;
  readonly netIn: bigint;
  readonly netOut: bigint;
  /** `YYYY-MM-DD`; null before the first line. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly summaries: readonly StatementSummary[];
}

export const noRows: FileTotals = {
  lines: 0,
  rows: 0,
  lastLineNo: null,
  unparsed: 0,
  foreign: 0,
  netIn: 0n,
  netOut: 0n,
  firstDay: null,
  lastDay: null,
  summaries: [],
};

/**
 * A row as it is stored: a line that breaks a rule is set aside like one that could not be read. `today`: the day at the
 * channel, `YYYY-MM-DD`. A later day is one that was misread, for example of another calendar.
 */
export function checkedRow(row: StatementRow, today: string): StatementRow {
  const reason = row.kind === 'line' ? problemOfLine(row.line, today) : null;
  return row.kind === 'line' && reason !== null ? { kind: 'unparsed', lineNo: row.line.lineNo, reason } : row;
}

/** Adds a row. `currency`: that of the account. */
export function addRow(before: FileTotals, row: StatementRow, currency: string): FileTotals {
  const totals = row.kind === 'summary' ? before : withRow(before, row.kind === 'line' ? row.line : row);
  if (row.kind === 'unparsed') return { ...totals, unparsed: totals.unparsed + 1 };
  if (row.kind === 'summary') {
    const { from, to } = row.summary;
    return { ...withDay(withDay(totals, from), to), summaries: [...totals.summaries, row.summary] };
  }
  const { direction, net, bookedOn } = row.line;
  const counted = withDay({ ...totals, lines: totals.lines + 1 }, bookedOn);
  if (row.line.currency !== currency) return { ...counted, foreign: counted.foreign + 1 };
  return direction === 'in'
    ? { ...counted, netIn: counted.netIn + minorUnits(net) }
    : { ...counted, netOut: counted.netOut + minorUnits(net) };
}

function withRow(totals: FileTotals, { lineNo }: { lineNo: number }): FileTotals {
  return lineNo === totals.lastLineNo ? totals : { ...totals, rows: totals.rows + 1, lastLineNo: lineNo };
}

/** The totals of a file that covers this day too; null, or what is no day, changes nothing. */
export function withDay(totals: FileTotals, text: string | null): FileTotals {
  const day = text?.slice(0, 10) ?? null;
  if (day === null || !isDay(day)) return totals;
  const { firstDay, lastDay } = totals;
  return {
    ...totals,
    firstDay: firstDay === null || day < firstDay ? day : firstDay,
    lastDay: lastDay === null || day > lastDay ? day : lastDay,
  };
}

/** The last day that a file shows as a whole, `YYYY-MM-DD`; null: it does not say that it ends within its last day. */
export function wholeToOf({ summaries, lastDay }: Pick<FileTotals, 'summaries' | 'lastDay'>): string | null {
  const ending = summaries.filter(({ to }) => to === lastDay);
  const cut = ending.map(({ wholeTo = null }) => wholeTo);
  return cut.length === 0 || cut.includes(null) ? null : (cut.toSorted().at(-1) ?? null);
}

/** Why rows of this file are too many; null as long as they are not. */
export function problemOfSize({ lines, unparsed, foreign, summaries }: FileTotals): string | null {
  if (lines > fileLimits.lines) return `has more than ${fileLimits.lines} lines`;
  if (unparsed > fileLimits.unparsed)
    return `has more than ${fileLimits.unparsed} rows that cannot be read: is the format right?`;
  if (foreign > fileLimits.foreign)
    return `has more than ${fileLimits.foreign} lines in another currency: is it the right account?`;
  return summaries.length > fileLimits.summaries ? `has more than ${fileLimits.summaries} summaries` : null;
}

/** What the channel of a file is known for. */
export interface ExpectedFile extends ExpectedAccount {
  currency: string;
  beginsOn: string | null;
  /** The day at the channel, `YYYY-MM-DD`. */
  today: string;
}

/**
 * Why a file contradicts itself, or is not the expected file; null if all is well. Sums cannot be checked while rows are set aside or lines are in another
 * currency. Each of these is a break, and one break has what they come to (`uncountedSum`).
 */
export function problemOfFile(totals: FileTotals, expected: ExpectedFile): string | null {
  const { summaries, firstDay, lastDay, rows } = totals;
  if (!summaries.every(isStorableSummary)) return 'has a summary whose account, count or amounts are none';
  const foreign = summaries.find(({ currency }) => currency !== null && currency !== expected.currency);
  if (foreign) return `is in ${foreign.currency}, not in ${expected.currency}`;
  const account = problemOfAccounts(summaries, expected);
  if (account !== null) return account;
  if (firstDay === null || lastDay === null) return 'has no lines and names no day';
  if (daysBetween(firstDay, lastDay) >= fileLimits.days) return `covers more than ${fileLimits.days} days`;
  if (lastDay > expected.today) return `says that it ends on ${lastDay}, which is after today`;
  if (expected.beginsOn !== null && firstDay < expected.beginsOn)
    return `begins on ${firstDay}, the reconciliation of this channel on ${expected.beginsOn}`;
  const stated = sum(summaries.map((one) => (one.lines === null ? null : BigInt(one.lines))));
  if (stated !== null && stated !== BigInt(rows)) return `says that it has ${stated} lines, and has ${rows}`;
  return totals.unparsed + totals.foreign > 0 ? null : problemOfSums(totals);
}

function problemOfSums({ summaries, netIn, netOut }: FileTotals): string | null {
  const saidIn = sumOf(summaries, 'totalIn');
  if (saidIn !== null && saidIn !== netIn)
    return `says that ${decimalText(saidIn)} came in, its lines say ${decimalText(netIn)}`;
  const saidOut = sumOf(summaries, 'totalOut');
  if (saidOut !== null && saidOut !== netOut)
    return `says that ${decimalText(saidOut)} left, its lines say ${decimalText(netOut)}`;
  const [opening, closing] = [sumOf(summaries, 'opening'), sumOf(summaries, 'closing')];
  if (opening === null || closing === null || opening + netIn - netOut === closing) return null;
  return `closes with ${decimalText(closing)}, its opening balance and lines come to ${decimalText(opening + netIn - netOut)}`;
}

/**
 * The sum of the rows that do not count, in the currency of the account, with its sign, in minor units: rows that cannot be read, and lines in another
 * currency. It is the difference between the balances or totals and the other lines. Null: the file has neither, or every row counts.
 */
export function uncountedSum(totals: FileTotals): bigint | null {
  const { summaries, netIn, netOut, unparsed, foreign } = totals;
  const read = netIn - netOut;
  if (unparsed + foreign === 0) return null;
  const [opening, closing] = [sumOf(summaries, 'opening'), sumOf(summaries, 'closing')];
  if (opening !== null && closing !== null) return closing - opening - read;
  const [saidIn, saidOut] = [sumOf(summaries, 'totalIn'), sumOf(summaries, 'totalOut')];
  return saidIn === null || saidOut === null ? null : saidIn - saidOut - read;
}

/** The sum over all summaries, in minor units; null if one does not say it, or there is none. */
export function sumOf(
  summaries: readonly StatementSummary[],
  field: 'totalIn' | 'totalOut' | 'opening' | 'closing',
): bigint | null {
  return sum(summaries.map((one) => one[field]).map((text) => (text === null ? null : minorUnits(text))));
}

function sum(parts: readonly (bigint | null)[]): bigint | null {
  if (parts.length === 0 || parts.includes(null)) return null;
  return parts.reduce<bigint>((all, part) => all + (part ?? 0n), 0n);
}

const amountText = /^(0|[1-9][0-9]{0,14})\.[0-9]{2}$/;
const signedText = /^-?(0|[1-9][0-9]{0,14})\.[0-9]{2}$/;

/** Why a line cannot be stored; null if it can. The reason contains no value of the line. */
export function problemOfLine(line: StatementLine, today: string): string | null {
  const { gross, fee, tax, net, balanceAfter, currency, bookedOn } = line;
  if (![gross, fee, tax].every((amount) => amountText.test(amount)) || !signedText.test(net))
    return 'an amount is invalid';
  if (balanceAfter !== null && !signedText.test(balanceAfter)) return 'the balance is invalid';
  if (!isDay(bookedOn)) return 'the day is invalid';
  if (bookedOn > today) return 'its day is after today';
  if (!/^[A-Z]{3}$/.test(currency)) return 'the currency is not a three-letter code';
  if (![line.channelRef, line.orderNo, line.bankRef, line.settlementRef].every(isStorable))
    return 'a reference is empty, too long, or no text';
  if (typeOfDirection(line.type, line.direction) !== line.type) return 'its type is of the other direction';
  const charges = minorUnits(fee) + minorUnits(tax);
  const [whole, rest] = line.direction === 'in' ? [gross, net] : [net, gross];
  return minorUnits(whole) === minorUnits(rest) + charges ? null : 'gross, fee, tax and net do not add up';
}

function isStorableSummary({ account, currency, lines, wholeTo = null, ...amounts }: StatementSummary): boolean {
  const { opening, closing, totalIn, totalOut } = amounts;
  return (
    [account, currency].every(isStorable) &&
    (wholeTo === null || isDay(wholeTo)) &&
    (lines === null || Number.isSafeInteger(lines)) &&
    [opening, closing, totalIn, totalOut].every((text) => text === null || signedText.test(text))
  );
}

function isStorable(text: string | null): boolean {
  return text === null || (text.length > 0 && text.length <= 128 && text.isWellFormed() && !text.includes('\u0000'));
}

/** Whether it is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

export function daysBetween(first: string, last: string): number {
  return (Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / 86_400_000;
}

/** Decimal text with two decimals in minor units. */
export function minorUnits(text: string): bigint {
  return BigInt(text.replace('.', ''));
}

/** Minor units as decimal text with two decimals. */
export function decimalText(minor: bigint): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
