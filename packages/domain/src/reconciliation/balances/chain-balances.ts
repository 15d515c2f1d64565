import type { PoolClient } from 'pg';
import type { FileTotals } from '../files/decide-totals.ts';
import { type AccountFacts, type Gap, gapsOf, type KnownStatement } from './gaps.ts';
import { accountFactsSql, addBalancesSql, completeDaysSql, isPartOfSql, writeGapsSql } from './queries.ts';

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
 * Compares what the balance of the channel's account changed by with what its lines come to, between the ends of all days since a month before a new file.
 * A difference is a break until a statement explains it. A day that was only begun is whole if the next statement continues it.
 */
export async function chainBalances(
  client: PoolClient,
  { merchantId, channelId }: ImportedFile,
  firstDay: string | null,
): Promise<void> {
  const from = [merchantId, channelId, firstDay];
  const { rows } = await client.query<Omit<AccountFacts, 'isPartOf'>>(accountFactsSql, from);
  const [facts] = rows;
  if (!facts) throw new Error('the balances were not read');
  await client.query(writeGapsSql, [...from, JSON.stringify(await findGaps(client, merchantId, facts))]);
  await client.query(completeDaysSql, from);
}

/** Only where statements of a day disagree, their lines are compared. */
async function findGaps(client: PoolClient, merchantId: string, facts: Omit<AccountFacts, 'isPartOf'>): Promise<Gap[]> {
  const nameOf = ({ fileNo, place }: KnownStatement): string => `${fileNo}/${place}`;
  const asked = new Map<string, object>();
  const ask = (part: KnownStatement, whole: KnownStatement): false => {
    asked.set(`${nameOf(part)} ${nameOf(whole)}`, {
      part: part.fileNo,
      partPlace: part.place,
      whole: whole.fileNo,
      wholePlace: whole.place,
    });
    return false;
  };
  const gaps = gapsOf({ ...facts, isPartOf: ask });
  if (asked.size === 0) return gaps;
  const { rows } = await client.query<{ pair: string }>(isPartOfSql, [merchantId, JSON.stringify([...asked.values()])]);
  const parts = new Set(rows.map(({ pair }) => pair));
  return gapsOf({ ...facts, isPartOf: (part, whole) => parts.has(`${nameOf(part)} ${nameOf(whole)}`) });
}
