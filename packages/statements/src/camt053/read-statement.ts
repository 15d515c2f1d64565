import { type StatementSummary, StatementUnreadable } from '@tidegate/domain/reconciliation';
import { asDecimal } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { daysAfter, earlierDay, readIsoDay } from '../reading/dates.ts';
import { readDirection, readXmlAmount } from './read-entry.ts';
import { nodeAt, textAt, type XmlNode } from './xml.ts';

/** What was read of a statement so far. */
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

/** The summary with what one more element of the statement says. Throws StatementUnreadable if it cannot be read. */
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

/** A period that ends at midnight does not have the day of that midnight. */
function readPeriod(summary: StatementSoFar, node: XmlNode): StatementSoFar {
  const [from, to] = [textAt(node, 'FrDtTm'), textAt(node, 'ToDtTm')];
  const last = readIsoDay(to);
  const isMidnight = /T00:00:00/.test(to) && last > readIsoDay(from);
  return { ...summary, from: readIsoDay(from), to: isMidnight ? daysAfter(last, -1) : last };
}

/** Opening booked, or what was closed before; closing booked. Others, for example available balances, are not needed. */
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
  // What was closed before is of the day before; an opening balance is of the first day.
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
