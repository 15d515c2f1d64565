import { type StatementFormat, type StatementSummary, StatementUnreadable } from '@tidegate/domain/reconciliation';
import type { Limits } from '../limits.ts';
import { isReadable } from './references.ts';

/** The same format with checked summaries. All formats go through it, so none has to check its own. */
export function withKeptSummaries(format: StatementFormat, limits: Limits): StatementFormat {
  return {
    ...format,
    async *read(bytes, options) {
      for await (const row of format.read(bytes, options))
        yield row.kind === 'summary' ? { kind: 'summary', summary: keptSummary(row.summary, limits) } : row;
    },
  };
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
