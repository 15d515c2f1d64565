import { type StatementFormat, type StatementSummary, StatementUnreadable } from '@tidegate/domain/reconciliation';
import { peek } from './bytes.ts';
import type { Limits } from './limits.ts';
import { isReadable } from './references.ts';

/** The same format with checked summaries. All formats go through it, so none has to check its own. */
export function withKeptSummaries(format: StatementFormat, limits: Limits): StatementFormat {
  return {
    ...format,
    async *read(bytes, options) {
      const { first, all } = await peek(bytes, 8);
      const wrapping = wrappingOf(first, format.name);
      if (wrapping !== null) throw new StatementUnreadable('other_format', wrapping);
      for await (const row of format.read(all, options))
        yield row.kind === 'summary' ? { kind: 'summary', summary: keptSummary(row.summary, limits) } : row;
    },
  };
}

/** The beginnings of files in which a statement may be, and what to tell who uploads one. */
const wrappings: readonly [start: string, what: string][] = [
  ['PK\x03\x04', 'this is a zip file or an Excel workbook: upload the statement in it, or save the workbook as CSV'],
  ['\x1f\x8b', 'this is a gzip file: unpack it, and upload the statement in it'],
  ['\xd0\xcf\x11\xe0', 'this is an Excel workbook: save it as CSV'],
  ['%PDF-', 'this is a PDF: ask the bank for the statement in another format'],
  ['Rar!', 'this is a RAR file: unpack it, and upload the statement in it'],
  ['7z\xbc\xaf', 'this is a 7z file: unpack it, and upload the statement in it'],
];

/** Why a file cannot be a statement of this format, by its first bytes; null: it may be one. A bill of Alipay is a zip. */
function wrappingOf(first: Uint8Array, format: string): string | null {
  const start = Buffer.from(first).toString('latin1');
  const [, what = null] = wrappings.find(([bytes]) => start.startsWith(bytes)) ?? [];
  return format === 'alipay-bill' && start.startsWith('PK') ? null : what;
}

/**
 * Checks a summary. Empty texts become null. Throws StatementUnreadable for an invalid currency, and for an account
 * that is too long or cannot be read. So the statement of another account is never imported as one without an account.
 */
function keptSummary(summary: StatementSummary, { referenceLength }: Limits): StatementSummary {
  const account = summary.account?.trim() || null;
  const currency = summary.currency?.trim().toUpperCase() || null;
  if (account !== null && account.length > referenceLength)
    throw new StatementUnreadable('damaged', `the account is longer than ${referenceLength} characters`);
  if (account !== null && !isReadable(account))
    throw new StatementUnreadable('damaged', 'the account has characters that cannot be read');
  if (currency !== null && !/^[A-Z]{3}$/.test(currency))
    throw new StatementUnreadable('damaged', 'the currency of the statement is not a currency code');
  return { ...summary, account, currency };
}
