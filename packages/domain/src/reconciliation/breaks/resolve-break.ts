import type { Decision } from '../../core/operator.ts';
import type { Outcome } from '../../core/rejection.ts';
import { versionOfBreak } from '../../core/version.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration } from '../../ledger/index.ts';
import type { StatementLineType } from '../statement.ts';
import type { Break, BreakKind } from '../types.ts';
import { type BreakOutcome, type Resolution, resolutionOf } from './decide-resolution.ts';
import {
  decideBreakSql,
  explainExpectationSql,
  explainLineSql,
  isDayClosedSql,
  lineOfBreakSql,
  lockBreakSql,
  seenBreakSql,
} from './statements.ts';

export interface BreakResolution {
  /** The platform's tenant of the country. */
  merchantId: string;
  breakNo: number;
  outcome: BreakOutcome;
  /** The break that explains it, for `linked`. */
  otherBreakNo: number | null;
  /** The values of the break that the operator saw; null or left out: they are not compared. */
  seen?: {
    kind: BreakKind | null;
    amount: string | null;
    /** Merchant and number of the expected transfer, such as `M-1 17`, or `none`. */
    transfer: string | null;
  };
}

/**
 * Ends a break, with its transfer and the audit record in one transaction. What is to enter as a report is only marked: the worker enters it, and the
 * break ends when the ledger shows it. Refusals: break_not_found, break_closed, break_not_resolvable, day_closed,
 * second_operator_needed, version_outdated.
 */
export function resolveBreak(domain: ChangeAccess, request: BreakResolution, by: Decision): Promise<Outcome<Break>> {
  const { merchantId, breakNo, outcome, otherBreakNo } = request;
  // The version of a break is the version of its row, not of its audit records.
  const { expectedVersion, ...decision } = by;
  return changeConfiguration(domain, { tenant: merchantId, change: 'resolveBreak' }, decision, async (within) => {
    const lockSql = lockBreakSql(domain.database.orm);
    const found = await find(within, lockSql, merchantId, breakNo);
    const other = otherBreakNo === null ? null : await find(within, lockSql, merchantId, otherBreakNo);
    if (!found || (otherBreakNo !== null && !other)) return { ok: false, rejection: 'break_not_found' };
    const closed = [found, other].find((one) => one !== null && one.state !== 'open');
    if (closed) return { ok: false, rejection: 'break_closed', detail: `break ${closed.breakNo} is ${closed.state}` };
    if (!isAsSeen(found, request) || (expectedVersion ?? versionOfBreak(found)) !== versionOfBreak(found)) {
      const detail = `break ${breakNo} is ${found.kind} over ${found.amount} now`;
      return { ok: false, rejection: 'version_outdated', detail };
    }
    if (otherBreakNo === breakNo) return { ok: false, rejection: 'break_not_resolvable' };
    for (const one of other ? [found, other] : [found])
      if (await isOnClosedDay(within, one)) return { ok: false, rejection: 'day_closed', detail: one.day };
    const resolution = resolutionOf(found, outcome, { lineType: await lineTypeOf(within, found), other });
    if (!resolution) return { ok: false, rejection: 'break_not_resolvable' };
    // A rehearsal finds out whether it is possible, before it is requested from the second operator.
    if (by.rehearsal !== true && (by.approver === null || by.approver === by.actor))
      return { ok: false, rejection: 'second_operator_needed' };
    for (const one of other ? [found, other] : [found]) await end(within, one, { resolution, request, by });
    const value = (await find(within, lockSql, merchantId, breakNo)) ?? found;
    const posting = resolution.type === 'post' ? resolution.posting : null;
    const { kind, amount, day, channelId } = found;
    return {
      ok: true,
      value: {
        subject: `break ${breakNo}`,
        before: { state: found.state, kind, amount, day, channelId, about: found.subject },
        after: { state: value.state, ...(other && { otherBreakNo }) },
        postings: posting ? [posting] : [],
        value,
      },
    };
  });
}

/**
 * The current values of a break: its kind, its amount and its transfer. Null: there is no such break. An approval
 * stores them.
 */
export async function loadSeenBreak(
  { database }: DatabaseAccess,
  { merchantId, breakNo }: Pick<BreakResolution, 'merchantId' | 'breakNo'>,
): Promise<{ kind: BreakKind; amount: string; transfer: string } | null> {
  const { rows } = await database.pool.query<Pick<Break, 'kind' | 'amount' | 'ownerId' | 'transferNo'>>(seenBreakSql, [
    merchantId,
    breakNo,
  ]);
  const [found] = rows;
  return found ? { kind: found.kind, amount: found.amount, transfer: transferOf(found) } : null;
}

function transferOf({ ownerId, transferNo }: Pick<Break, 'ownerId' | 'transferNo'>): string {
  return ownerId === null ? 'none' : `${ownerId} ${transferNo}`;
}

function isAsSeen(found: Break, { seen }: BreakResolution): boolean {
  const { kind, amount } = found;
  const transfer = transferOf(found);
  return (
    (seen?.kind ?? kind) === kind && (seen?.amount ?? amount) === amount && (seen?.transfer ?? transfer) === transfer
  );
}

async function find(
  within: ChangeTransaction,
  lockSql: string,
  merchantId: string,
  breakNo: number,
): Promise<Break | null> {
  const { rows } = await within.database.pool.query<Break & object>(lockSql, [merchantId, breakNo]);
  return rows[0] ?? null;
}

async function isOnClosedDay(within: ChangeTransaction, { merchantId, channelId, day }: Break): Promise<boolean> {
  const { rows } = await within.database.pool.query(isDayClosedSql, [merchantId, channelId, day]);
  return rows.length > 0;
}

async function lineTypeOf(
  within: ChangeTransaction,
  { merchantId, fileNo, lineNo, part }: Break,
): Promise<StatementLineType | null> {
  if (part === null) return null;
  const { rows } = await within.database.pool.query<{ type: StatementLineType }>(lineOfBreakSql, [
    merchantId,
    fileNo,
    lineNo,
    part,
  ]);
  return rows[0]?.type ?? null;
}

/** Ends one of the breaks. Its line and its expectation are explained by the decision, but for a report, which matching has to find. */
async function end(
  within: ChangeTransaction,
  { merchantId, breakNo }: Break,
  { resolution, request, by }: { resolution: Resolution; request: BreakResolution; by: Decision },
): Promise<void> {
  const { pool } = within.database;
  const state = resolution.type === 'report' ? 'posting' : request.outcome;
  await pool.query(decideBreakSql, [merchantId, breakNo, state, by.actor, by.approver, by.reason]);
  if (resolution.type === 'report') return;
  await pool.query(explainLineSql, [merchantId, breakNo, request.breakNo, request.outcome]);
  await pool.query(explainExpectationSql, [merchantId, breakNo, request.breakNo]);
}
