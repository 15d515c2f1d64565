import { type StatementSummary, StatementUnreadable } from '@tidegate/domain/reconciliation';
import { asDecimal } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { daysAfter, earlierDay, readIsoDay } from '../reading/dates.ts';
import { readDirection } from './read-entry.ts';
import { nodeAt, textAt, type XmlNode } from './xml.ts';
import { readXmlAmount } from './xml-amount.ts';

/** The facts of a statement that were read so far. */
export interface StatementSoFar extends StatementSummary {
  /** The first day after the opening balance; null before it was read. */
  opensOn: string | null;
}

export const emptyStatement: StatementSoFar = {
  account: null,
  currency: null,
  from: null,
  to: null,
  opening: null,
  closing: null,
  lines: null,
  totalIn: null,
  totalOut: null,
  opensOn: null,
};

/** The summary of a statement. Without a period (`FrToDt`) it covers the days between its two balances. */
export function summaryOf({ opensOn, ...summary }: StatementSoFar): StatementSummary {
  const { from, to } = summary;
  if (from !== null || opensOn === null) return summary;
  return { ...summary, from: earlierDay(opensOn, to ?? opensOn) };
}

/** Adds the facts of one more element to the summary. Throws StatementUnreadable if the element cannot be read. */
export function readPart(summary: StatementSoFar, node: XmlNode): StatementSoFar {
  try {
    switch (node.name) {
      case 'Acct':
        return readAccount(summary, node);
      case 'FrToDt':
        return readPeriod(summary, node);
      case 'Bal':
        return readBalance(summary, node);
      case 'TxsSummry':
        return readSums(summary, node);
      default:
        return summary;
    }
  } catch (error) {
    if (error instanceof BadRow) throw new StatementUnreadable('damaged', `${node.name}: ${error.message}`);
    throw error;
  }
}

function readAccount(summary: StatementSoFar, node: XmlNode): StatementSoFar {
  const account = textAt(node, 'Id', 'IBAN') || textAt(node, 'Id', 'Othr', 'Id');
  return { ...summary, account: account || null, currency: textAt(node, 'Ccy') || null };
}

/** Reads a period. If it ends at midnight, it does not include the day that begins then. One that ends at another time has a part of its last day. */
function readPeriod(summary: StatementSoFar, node: XmlNode): StatementSoFar {
  const [from, to] = [textAt(node, 'FrDtTm'), textAt(node, 'ToDtTm')];
  const last = readIsoDay(to);
  const isMidnight = /T00:00:00/.test(to) && last > readIsoDay(from);
  if (isMidnight) return { ...summary, from: readIsoDay(from), to: daysAfter(last, -1) };
  return { ...summary, from: readIsoDay(from), to: last, ...(endsWithin(to) && { wholeTo: daysAfter(last, -1) }) };
}

/** Whether a period ends before the last minute of its last day, so that it does not show all of it. */
function endsWithin(to: string): boolean {
  const [, time = ''] = to.trim().split('T');
  return time !== '' && time.slice(0, 5) < '23:59';
}

/**
 * Reads a balance: the booked opening balance, the closing balance of the previous statement, or the booked closing
 * balance. Others, for example available balances, are not needed.
 */
function readBalance(summary: StatementSoFar, node: XmlNode): StatementSoFar {
  const code = textAt(node, 'Tp', 'CdOrPrtry', 'Cd');
  if (code !== 'OPBD' && code !== 'PRCD' && code !== 'CLBD') return summary;
  const amount = nodeAt(node, 'Amt');
  const read = readXmlAmount(amount?.text ?? '');
  const balance = asDecimal(readDirection(node) === 'in' ? read : -read);
  const currency = summary.currency ?? amount?.currency ?? null;
  const date = nodeAt(node, 'Dt');
  const day = date && readIsoDay(textAt(date, 'Dt') || textAt(date, 'DtTm'));
  if (code === 'CLBD') return { ...summary, currency, closing: balance, to: summary.to ?? day };
  if (code === 'PRCD' && summary.opening !== null) return summary;
  // The closing balance of the previous statement belongs to the day before. An opening balance belongs to the first
  // day.
  const opensOn = code === 'PRCD' ? day && daysAfter(day, 1) : day;
  return { ...summary, currency, opening: balance, opensOn };
}

function readSums(summary: StatementSoFar, node: XmlNode): StatementSoFar {
  const count = textAt(node, 'TtlNtries', 'NbOfNtries');
  const sum = (name: string) => {
    const text = textAt(node, name, 'Sum');
    return text === '' ? null : asDecimal(readXmlAmount(text));
  };
  const lines = /^\d{1,9}$/.test(count) ? Number(count) : null;
  return { ...summary, lines, totalIn: sum('TtlCdtNtries'), totalOut: sum('TtlDbtNtries') };
}
