import type { StatementOptions, StatementRow } from '@tidegate/domain/reconciliation';
import { type Hundredths, readAmount } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { dayText, type LocalTime } from '../reading/dates.ts';
import type { Limits } from '../reading/limits.ts';
import { lineRow, requireCurrency } from '../reading/line.ts';
import { findOrderNo } from '../reading/order-numbers.ts';
import { readReference } from '../reading/references.ts';
import { mt940TypeOf } from './types.ts';

export interface RowContext {
  options: StatementOptions;
  limits: Limits;
  currency: string;
}

/** Amounts have a decimal comma, and may end with it: `12,`. */
export function readSwiftAmount(text: string): Hundredths {
  return readAmount(
    text
      .replace(',', '.')
      .replace(/\.$/, '')
      .replace(/^0+(?=\d)/, ''),
    'the amount',
  );
}

/** `YYMMDD`. */
export function readSwiftDay(text: string): string {
  return dayText(readSwiftDate(text));
}

/** The same, also if the day does not exist. */
function readSwiftDate(text: string): LocalTime {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  if (year === undefined) throw new BadRow('the date cannot be read');
  return { year: Number(year) + (Number(year) < 80 ? 2000 : 1900), month: Number(month), day: Number(day) };
}

/**
 * Value date, entry date, mark, third letter of the currency, amount, type, the customer's reference, the bank's. Marks
 * are C, D, and their reversals RC and RD; EC and ED are only expected. Some banks fill dates and types with spaces, put
 * spaces around the amount, or leave the type and the customer's reference out.
 */
const entry =
  /^(\d{6})(\d{4}| {4})?(C|D|RC|RD|EC|ED)([A-Z])? ?(\d{1,15}(?:,\d*)?) ?(?:([NSF][A-Z0-9 ]{3})(.*)|(\/\/.*)?)$/;

/** A field 61, with the field 86 after it. */
export function readEntry(lineNo: number, text: string, info: string, context: RowContext): StatementRow[] {
  const { options, limits, currency } = context;
  const [first = '', ...supplementary] = text.split('\n');
  const [, valueDate = '', entryDate, mark, , amount = '', code = '', typed, untyped] = entry.exec(first) ?? [];
  const references = typed ?? untyped ?? '';
  const slashes = references.indexOf('//');
  const customerRef = slashes === -1 ? references : references.slice(0, slashes);
  const bankRef = slashes === -1 ? undefined : references.slice(slashes + 2);
  if (mark === undefined || customerRef.length > 200 || (bankRef?.length ?? 0) > 200)
    throw new BadRow('field 61 cannot be read');
  requireCurrency(currency, options.currency);
  if (mark.startsWith('E')) throw new BadRow('the entry is only expected');
  // A reversed credit is money that leaves, and a reversed debit is money that comes back.
  const direction = mark === 'C' || mark === 'RD' ? 'in' : 'out';
  const value = readSwiftDate(valueDate);
  const named = referencesOf(info);
  const read = (value: string | undefined, what: string) => readReference(value, what, limits.referenceLength);
  const customer = read(customerRef, "the customer's reference");
  const row = lineRow({
    lineNo,
    direction,
    type: mt940TypeOf(code, direction, mark.startsWith('R')),
    gross: readSwiftAmount(amount),
    currency: options.currency,
    occurredAt: null,
    bookedOn: entryDate === undefined || entryDate.trim() === '' ? dayText(value) : dayNear(value, entryDate),
    // The payer chose the customer's reference, and may use it again. So it does not identify a single payment.
    channelRef: null,
    orderNo: findOrderNo(
      [read(named.EREF, 'EREF'), read(named.KREF, 'KREF'), customer],
      [
        ...references.split('//'),
        // The customer's reference has room for 16 characters. The rest of it is in the supplementary details.
        ...joinedLines([customerRef, ...supplementary]),
        ...joinedLines(supplementary),
        ...joinedLines(info.split('\n')),
      ],
    ),
    bankRef: read(bankRef, "the bank's reference"),
  });
  return [row];
}

/** Lines break anywhere, also within a number, so they are joined in both ways. */
function joinedLines(lines: readonly string[]): string[] {
  return [lines.join(''), lines.join(' ')];
}

/**
 * The entry date has no year. So it is the matching day that is nearest to the value date. Banks that compute interest
 * with 30 days a month write value dates like 30 February.
 */
function dayNear({ year, month: valueMonth, day: valueDay }: LocalTime, entryDate: string): string {
  const value = Date.UTC(year, valueMonth - 1, valueDay);
  const [month, day] = [Number(entryDate.slice(0, 2)), Number(entryDate.slice(2))];
  const candidates = [year, year - 1, year + 1].map((candidate) => ({ year: candidate, month, day }));
  const distance = ({ year: y }: { year: number }) => Math.abs(Date.UTC(y, month - 1, day) - value);
  const nearest = candidates.toSorted((a, b) => distance(a) - distance(b))[0];
  if (nearest === undefined) throw new BadRow('the date cannot be read');
  return dayText(nearest);
}

/**
 * Finds the references in field 86. It has two structures: `/EREF/…/REMI/…`, and `?20EREF+…?21…`, where other
 * characters can take the place of `?`. Lines break at any character, so they are joined without a space.
 */
function referencesOf(info: string): Readonly<Record<string, string>> {
  const text = info.replaceAll('\n', '');
  const found: Record<string, string> = {};
  if (text.startsWith('/')) {
    for (const [, name = '', value = ''] of text.matchAll(/\/(EREF|KREF|MREF)\/(.*?)(?=\/[A-Z]{4}\/|$)/gs))
      found[name] ??= value.replace(/\/$/, '');
    return found;
  }
  const [, mark] = /^\d{3}([^A-Za-z0-9\s])/.exec(text) ?? [];
  const purpose = mark === undefined ? text : subfields(text, mark);
  for (const [, name = '', value = ''] of purpose.matchAll(/(EREF|KREF|MREF)\+(.*?)(?=[A-Z]{4}\+|$)/gs))
    found[name] ??= value.trim();
  return found;
}

/** Subfields 20 to 29 and 60 to 63 are the purpose of the payment. */
function subfields(text: string, mark: string): string {
  return text
    .split(mark)
    .slice(1)
    .filter((field) => /^(?:2\d|6[0-3])/.test(field))
    .map((field) => field.slice(2))
    .join('');
}
