import type { ChannelAccess } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { LedgerAccess, LedgerReadAccess } from '../ledger/index.ts';
import { asLedger } from './as-ledger.ts';
import { type EnteredReports, nothingEntered, postReports } from './breaks/post-reports.ts';
import { carryCreditsSql, unreconciledSql } from './breaks/queries.ts';
import { rollUpExpectations } from './expectations/roll-up-expectations.ts';
import { importNextStatement } from './files/import-next-statement.ts';
import { matchChannels } from './matching/match-channels.ts';
import type { RestAfter } from './pace.ts';
import type { StatementAccess } from './statement-access.ts';

export type ReconcileAccess = LedgerAccess &
  LedgerReadAccess &
  DatabaseAccess &
  ChannelAccess &
  DirectoryAccess &
  StatementAccess &
  Telemetry;

/** How many steps of the roll-up one run takes. The next run continues. */
const maxSteps = 50;

/**
 * One run of the reconciliation: the next statement, new expectations, the days that are due, and then agreed reports, whose days are matched again. What a
 * channel has reported meanwhile is found before its line is entered. Each part can be repeated, and what a crash cuts off is done by the next run. Resolves to `found` if a statement was imported, or more is left to do.
 */
export async function reconcile(
  access: ReconcileAccess,
  isEnding: () => boolean = () => false,
  restAfter?: RestAfter,
): Promise<'found' | 'nothing'> {
  const domain = asLedger(access);
  const imported = await importNextStatement(domain, isEnding, restAfter);
  if (isEnding()) return 'nothing';
  const match = async (entered: EnteredReports): Promise<boolean> => {
    let isMore = true;
    for (let n = 0; isMore && n < maxSteps && !isEnding(); n += 1) isMore = await rollUpExpectations(domain);
    const isMoreDue = await matchChannels(domain, entered, isEnding, restAfter);
    await domain.database.pool.query(carryCreditsSql);
    return isMoreDue || isMore;
  };
  const isMoreDue = await match(nothingEntered);
  if (isEnding()) return 'nothing';
  const entered = await postReports(domain);
  const isMore = entered.breaks.length > 0 ? (await match(entered)) || entered.isMore : isMoreDue;
  return imported === 'nothing' && !isMore ? 'nothing' : 'found';
}

/** The amount that is not reconciled at one channel, in one currency. */
export interface Unreconciled {
  channelId: string;
  currency: string;
  /** The sum of open breaks and of expectations on days without a statement: decimal text without a sign. */
  amount: string;
  /** The oldest day of these, Unix ms of its midnight in UTC. */
  since: number;
  openBreaks: number;
}

/**
 * The amounts that are not reconciled, for metrics. Days from `before` on (`YYYY-MM-DD`) without a statement are not
 * late yet.
 */
export async function readUnreconciled({ database }: DatabaseAccess, before: string): Promise<Unreconciled[]> {
  const { rows } = await database.reading.query<Omit<Unreconciled, 'since'> & { since: string }>(unreconciledSql, [
    before,
  ]);
  return rows.map((row) => ({ ...row, since: Date.parse(`${row.since}T00:00:00Z`) }));
}
