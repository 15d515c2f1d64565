import type { Decision } from '../../core/operator.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import type { ChangeTransaction } from '../../ledger/index.ts';
import type { Break } from '../types.ts';
import { type Posting, postDifference } from './decide-resolution.ts';
import {
  decideBreakSql,
  explainLineSql,
  isLineSupersededSql,
  keepPostingSql,
  lockBreakSql,
  noteProblemSql,
  obstacleOfDaySql,
} from './queries.ts';

/**
 * Locks a break whose line proves something. Null: it ended meanwhile, people decided on it before, an order has it, or it shows the money of another
 * break that had ended. Null too if a newer version of its statement replaced the line, or its day is closed or not matched yet.
 */
export async function lockProvableBreak(
  { database }: DatabaseAccess,
  within: ChangeTransaction,
  { merchantId, breakNo }: Pick<Break, 'merchantId' | 'breakNo'>,
): Promise<Break | null> {
  const { pool } = within.database;
  const { rows } = await pool.query<Break & object>(lockBreakSql(database.orm), [merchantId, breakNo]);
  const [found] = rows;
  if (found?.state !== 'open' || found.decidedAt !== null || found.ownerId !== null || found.answers !== null)
    return null;
  const superseded = await pool.query(isLineSupersededSql, [merchantId, found.fileNo, found.lineNo, found.part]);
  if (superseded.rows.length > 0) return null;
  const obstacle = await pool.query(obstacleOfDaySql, [merchantId, found.channelId, found.day]);
  return obstacle.rows.length > 0 ? null : found;
}

/** The other side of what a line proves. */
const bank = 'external';

/** Ends a locked break as posted. Its line is explained from then on, and by nothing else. Several lines that prove together have the match of the `first`. */
export async function endProvenBreak(
  within: ChangeTransaction,
  { merchantId, breakNo }: Pick<Break, 'merchantId' | 'breakNo'>,
  first: Pick<Break, 'breakNo'>,
  by: Decision,
): Promise<void> {
  const { pool } = within.database;
  await pool.query(decideBreakSql, [merchantId, breakNo, 'posted', by.actor, by.approver, by.reason]);
  await pool.query(keepPostingSql, [merchantId, breakNo, '0.00', bank]);
  await pool.query(explainLineSql, [merchantId, breakNo, first.breakNo, 'posted']);
}

/** The posting of a part of a proven line: money that moved between the channel's account and a bank. `amount` is decimal text with its sign. */
export function postToBank(channelId: string, amount: string): Posting | null {
  return postDifference(channelId, amount, bank);
}

/** Stores on an open break why its line proves nothing. */
export async function noteProblem(
  { database }: DatabaseAccess,
  { merchantId, breakNo }: Pick<Break, 'merchantId' | 'breakNo'>,
  text: string,
): Promise<void> {
  await database.reconciliationPool.query(noteProblemSql, [merchantId, breakNo, text]);
}
