import type { ChannelAccess } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { LedgerAccess, LedgerReadAccess } from '../ledger/index.ts';
import { postReports } from './breaks/post-reports.ts';
import { unreconciledSql } from './breaks/statements.ts';
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
 * One run of the reconciliation: the next statement, agreed reports, new expectations, and the days that are due. Each part can be repeated, and what
 * a crash cuts off is done by the next run. Resolves to `found` if a statement was imported, or more is left to do.
 */
export async function reconcile(
  domain: ReconcileAccess,
  isEnding: () => boolean = () => false,
  restAfter?: RestAfter,
): Promise<'found' | 'nothing'> {
  const imported = await importNextStatement(domain, isEnding, restAfter);
  if (isEnding()) return 'nothing';
  const entered = await postReports(domain);
  let isMore = true;
  for (let steps = 0; isMore && steps < maxSteps && !isEnding(); steps += 1) isMore = await rollUpExpectations(domain);
  const isMoreDue = await matchChannels(domain, entered, isEnding, restAfter);
  return imported === 'nothing' && !isMore && !isMoreDue ? 'nothing' : 'found';
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
