import type { PoolClient } from 'pg';
import type { FileTotals } from '../files/decide-totals.ts';
import { addBalancesSql, chainBalancesSql, completeDaysSql } from './queries.ts';

/** The first and last balance of a statement, decimal text. Days are `YYYY-MM-DD`. */
export interface StatementBalance {
  /** Place of the statement within its file, from 1. */
  place: number;
  firstDay: string;
  lastDay: string;
  opening: string;
  closing: string;
}

/** The balances of a file's statements. One that names no days has those of its file, if it is the only one. */
export function balancesOf({ summaries, firstDay, lastDay }: FileTotals): StatementBalance[] {
  const isOnly = summaries.length === 1;
  return summaries.flatMap(({ opening, closing, ...of }, i) => {
    const days = [of.from ?? (isOnly ? firstDay : null), of.to ?? (isOnly ? lastDay : null)];
    const [first, last] = days.filter((day) => day !== null).toSorted();
    if (opening === null || closing === null || first === undefined || last === undefined) return [];
    return [{ place: i + 1, firstDay: first, lastDay: last, opening, closing }];
  });
}

interface ImportedFile {
  merchantId: string;
  fileNo: number;
  channelId: string;
}

export async function addBalances(
  client: PoolClient,
  { merchantId, fileNo, channelId }: ImportedFile,
  balances: readonly StatementBalance[],
): Promise<void> {
  if (balances.length === 0) return;
  await client.query(addBalancesSql, [merchantId, fileNo, channelId, JSON.stringify(balances)]);
}

/**
 * Compares where the statements of the channel begin with where others end, from the first day of a new file on. A gap or an overlap is a break until
 * the statement comes that explains it. A day that was only begun is whole if the next statement continues it.
 */
export async function chainBalances(
  client: PoolClient,
  { merchantId, channelId }: ImportedFile,
  firstDay: string | null,
): Promise<void> {
  const from = [merchantId, channelId, firstDay];
  await client.query(chainBalancesSql, from);
  await client.query(completeDaysSql, from);
}
