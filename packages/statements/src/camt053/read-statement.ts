import { type StatementSummary, StatementUnreadable } from '@tidegate/domain/reconciliation';
import { asDecimal } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { readIsoDay } from '../reading/dates.ts';
import { readDirection, readXmlAmount } from './read-entry.ts';
import { nodeAt, textAt, type XmlNode } from './xml.ts';

export const emptySummary: StatementSummary = {
  ...{ account: null, currency: null, from: null, to: null, opening: null, closing: null },
  ...{ lines: null, totalIn: null, totalOut: null },
};

/** The summary with what one more element of the statement says. Throws StatementUnreadable if it cannot be read. */
export function readPart(summary: StatementSummary, node: XmlNode): StatementSummary {
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

function readAccount(summary: StatementSummary, node: XmlNode): StatementSummary {
  const account = textAt(node, 'Id', 'IBAN') || textAt(node, 'Id', 'Othr', 'Id');
  return { ...summary, account: account.slice(0, 64) || null, currency: textAt(node, 'Ccy') || null };
}

/** A period that ends at midnight does not have the day of that midnight. */
function readPeriod(summary: StatementSummary, node: XmlNode): StatementSummary {
  const [from, to] = [textAt(node, 'FrDtTm'), textAt(node, 'ToDtTm')];
  const last = readIsoDay(to);
  const isMidnight = /T00:00:00/.test(to) && last > readIsoDay(from);
  const before = () => new Date(Date.parse(`${last}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  return { ...summary, from: readIsoDay(from), to: isMidnight ? before() : last };
}

/** Opening booked, or what was closed before; closing booked. Others, for example available balances, are not needed. */
function readBalance(summary: StatementSummary, node: XmlNode): StatementSummary {
  const code = textAt(node, 'Tp', 'CdOrPrtry', 'Cd');
  if (code !== 'OPBD' && code !== 'PRCD' && code !== 'CLBD') return summary;
  const amount = nodeAt(node, 'Amt');
  const read = readXmlAmount(amount?.text ?? '');
  const balance = asDecimal(readDirection(node) === 'in' ? read : -read);
  const currency = summary.currency ?? amount?.currency ?? null;
  if (code === 'CLBD') {
    const day = nodeAt(node, 'Dt');
    const to = summary.to ?? (day && readIsoDay(textAt(day, 'Dt') || textAt(day, 'DtTm')));
    return { ...summary, currency, closing: balance, to };
  }
  if (code === 'PRCD' && summary.opening !== null) return summary;
  return { ...summary, currency, opening: balance };
}

function readSums(summary: StatementSummary, node: XmlNode): StatementSummary {
  const count = textAt(node, 'TtlNtries', 'NbOfNtries');
  const sum = (name: string) => {
    const text = textAt(node, name, 'Sum');
    return text === '' ? null : asDecimal(readXmlAmount(text));
  };
  const lines = /^\d{1,9}$/.test(count) ? Number(count) : null;
  return { ...summary, lines, totalIn: sum('TtlCdtNtries'), totalOut: sum('TtlDbtNtries') };
}
