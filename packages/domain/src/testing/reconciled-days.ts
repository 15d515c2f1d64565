import type { Domain } from '../open-domain.ts';

// What the database says of a reconciled day.

export async function rowsOf(domain: Domain, text: string, values: unknown[]): Promise<unknown[][]> {
  return (await domain.database.pool.query({ text, values, rowMode: 'array' })).rows;
}

/** The open breaks of a channel: kind and amount. */
export function openBreaksOf(domain: Domain, channelId: string): Promise<unknown[][]> {
  return rowsOf(
    domain,
    "select kind, amount::text from reconciliation_break b where channel_id = $1 and state = 'open' order by kind, b.amount",
    [channelId],
  );
}

/** How many lines of a day count, and their sum: one row, none if the day was not reconciled. */
export function countedOn(domain: Domain, channelId: string, day: string): Promise<unknown[][]> {
  return rowsOf(
    domain,
    'select lines, statement_net::text from reconciliation_day where channel_id = $1 and day = $2',
    [channelId, day],
  );
}

/** At night all of these cases; otherwise every fifth, so that each order and each shape is among them. */
export function someOf<Case>(cases: readonly Case[]): Case[] {
  return cases.filter((_, at) => process.env.TIDEGATE_TEST_DEPTH !== undefined || at % 5 === 0);
}
