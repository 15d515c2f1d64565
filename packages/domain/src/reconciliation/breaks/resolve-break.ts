import type { BookWallet } from '../../core/commands.ts';
import { type Decision, isAlone } from '../../core/operator.ts';
import { isTerminal, type OrderStatus } from '../../core/order.ts';
import type { Outcome } from '../../core/rejection.ts';
import { breakBookingNo } from '../../core/settlement.ts';
import { versionOfBreak } from '../../core/version.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration } from '../../ledger/index.ts';
import type { Decided } from '../missing-credits/bearers.ts';
import { decidedSql, holderSql, missingCreditSql } from '../missing-credits/queries.ts';
import type { StatementLineType } from '../statement.ts';
import type { Break, BreakKind } from '../types.ts';
import { type BreakOutcome, outcomesOf, type Resolution, resolutionOf } from './decide-resolution.ts';
import {
  decideBreakSql,
  explainExpectationSql,
  explainLineSql,
  explainRepetitionSql,
  isAnsweredSql,
  isSettledSql,
  keepPostingSql,
  lineOfBreakSql,
  lockBreakSql,
  makeDueSql,
  matchOrderAgainSql,
  obstacleOfDaySql,
  seenBreakSql,
} from './queries.ts';

interface Line {
  type: StatementLineType;
  gross: string;
  orderNo: string | null;
  orderStatus: OrderStatus | null;
}

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
 * Ends a break, with its transfers and the audit record in one transaction. What is to enter as a report is only marked: the worker enters it, and the
 * break ends when the ledger shows it. What was posted as missing can end a second time, as borne by the platform or the merchant. Refusals:
 * break_not_found, break_closed, break_not_resolvable, day_closed, day_not_matched, second_operator_needed, version_outdated, balance_insufficient.
 */
export async function resolveBreak(
  domain: ChangeAccess,
  request: BreakResolution,
  by: Decision,
): Promise<Outcome<Break>> {
  const { merchantId, breakNo, outcome, otherBreakNo } = request;
  // The version of a break is the version of its row, not of its audit records.
  const { expectedVersion, ...decision } = by;
  const alsoHeld = await holdersOf(domain, request);
  const named = { tenant: merchantId, change: 'resolveBreak', alsoHeld };
  return changeConfiguration(domain, named, decision, async (within) => {
    const lockSql = lockBreakSql(domain.database.orm);
    const found = await find(within, lockSql, merchantId, breakNo);
    const other = otherBreakNo === null ? null : await find(within, lockSql, merchantId, otherBreakNo);
    if (!found || (otherBreakNo !== null && !other)) return { ok: false, rejection: 'break_not_found' };
    if (found.answers !== null) await find(within, lockSql, merchantId, found.answers);
    const isPossible = found.state === 'posted' && outcomesOf(found, true).includes(outcome);
    const isAgain = isPossible && !(await isAnswered(within, found));
    const closed = [found, other].find((one) => one !== null && one.state !== 'open');
    if (closed && !isAgain)
      return { ok: false, rejection: 'break_closed', detail: `break ${closed.breakNo} is ${closed.state}` };
    if (!isAsSeen(found, request) || (expectedVersion ?? versionOfBreak(found)) !== versionOfBreak(found)) {
      const detail = `it is ${found.kind} over ${found.amount} now`;
      return { ok: false, rejection: 'version_outdated', detail };
    }
    if (otherBreakNo === breakNo) return { ok: false, rejection: 'break_not_resolvable' };
    // The second end of missing money leaves the channel's account, and so the closed day, as it is.
    for (const one of isAgain ? [] : other ? [found, other] : [found]) {
      const rejection = await obstacleOfDay(within, one);
      if (rejection !== null) return { ok: false, rejection, detail: one.day };
    }
    const line = await lineOf(within, found);
    const decided = await decidedOver(within, found);
    const resolution = resolutionOf(found, outcome, {
      lineType: line?.type ?? null,
      other,
      credit: await creditOf(within, found),
      decided,
      ...(other && !isOverSame(found, other) && { decidedOther: await decidedOver(within, other) }),
      isAnswer: found.answers !== null,
      isSettled: await isSettled(within, found),
    });
    if (!resolution) return { ok: false, rejection: 'break_not_resolvable' };
    const commands = chargesOf(resolution, { found, holder: (await holdersOf(within, request))[0] ?? null, by });
    if (commands.some((command) => !alsoHeld.includes(command.merchantId)))
      return { ok: false, rejection: 'version_outdated' };
    // A rehearsal finds out whether it is possible, before it is requested from the second operator.
    if (by.rehearsal !== true && isAlone(by)) return { ok: false, rejection: 'second_operator_needed' };
    for (const one of other ? [found, other] : [found]) await end(within, one, { resolution, request, by, isAgain });
    const value = (await find(within, lockSql, merchantId, breakNo)) ?? found;
    const { kind, amount, day, channelId } = found;
    return {
      ok: true,
      value: {
        subject: `break ${breakNo}`,
        before: { state: found.state, kind, amount, day, channelId, about: found.subject },
        after: { state: value.state, ...(other && { otherBreakNo }) },
        postings: resolution.type === 'post' ? resolution.postings : [],
        commands,
        lets: resolution.type === 'report' && line ? [sentenceOf(found, line)] : [],
        value,
      },
    };
  });
}

/** The merchant whose wallet the decision may move: the one that got the money. */
async function holdersOf(
  { database }: { database: Pick<ChangeTransaction['database'], 'pool'> },
  { merchantId, breakNo }: BreakResolution,
): Promise<string[]> {
  const { rows } = await database.pool.query<{ holder: string }>(holderSql, [merchantId, breakNo]);
  return rows.map(({ holder }) => holder);
}

async function isAnswered(within: ChangeTransaction, { merchantId, breakNo }: Break): Promise<boolean> {
  const { rows } = await within.database.pool.query(isAnsweredSql, [merchantId, breakNo]);
  return rows.length > 0;
}

/** Whether the line of a break shows what people recorded about the settlements or the bank file that it names. */
async function isSettled(within: ChangeTransaction, { merchantId, breakNo }: Break): Promise<boolean> {
  const { rows } = await within.database.pool.query(isSettledSql, [merchantId, breakNo]);
  return rows.length > 0;
}

/** What is missing of the credit that the break is about, and what a wallet still has of it. */
async function creditOf(
  within: ChangeTransaction,
  { merchantId, breakNo }: Break,
): Promise<{ missing: string; left: string }> {
  const { rows } = await within.database.pool.query<{ missing: string; left: string }>(missingCreditSql, [
    merchantId,
    breakNo,
  ]);
  return rows[0] ?? { missing: '0.00', left: '0.00' };
}

/** The decisions over the entry of the break so far. */
async function decidedOver(within: ChangeTransaction, { merchantId, breakNo }: Break): Promise<Decided[]> {
  const { rows } = await within.database.pool.query<Decided & object>(decidedSql, [merchantId, breakNo]);
  return rows;
}

/** The bookings in the merchant's wallet. The approval is consumed with the break, in the chain of the tenant. */
function chargesOf(
  resolution: Resolution,
  { found, holder, by }: { found: Break; holder: string | null; by: Decision },
): BookWallet[] {
  const charge = resolution.type === 'post' ? resolution.charge : null;
  if (charge === null || holder === null) return [];
  const { approvalId: _, expectedVersion: __, dailyLimit: ___, ...decision } = by;
  const amount = charge.startsWith('-') ? charge.slice(1) : `-${charge}`;
  const bookingNo = breakBookingNo(found);
  return [
    {
      type: 'bookWallet',
      merchantId: holder,
      entry: 'ADJUSTMENT',
      amount,
      bookingNo,
      remark: `break ${found.breakNo}`,
      by: decision,
    },
  ];
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

function isOverSame(one: Break, other: Break): boolean {
  return one.ownerId !== null && one.ownerId === other.ownerId && one.transferNo === other.transferNo;
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

async function obstacleOfDay(
  within: ChangeTransaction,
  { merchantId, channelId, day }: Break,
): Promise<'day_closed' | 'day_not_matched' | null> {
  const { rows } = await within.database.pool.query<{ rejection: 'day_closed' | 'day_not_matched' }>(obstacleOfDaySql, [
    merchantId,
    channelId,
    day,
  ]);
  return rows[0]?.rejection ?? null;
}

async function lineOf(within: ChangeTransaction, { merchantId, fileNo, lineNo, part }: Break): Promise<Line | null> {
  if (part === null) return null;
  const { rows } = await within.database.pool.query<Line & object>(lineOfBreakSql, [merchantId, fileNo, lineNo, part]);
  return rows[0] ?? null;
}

/** What the worker will enter. An order that ends meanwhile makes another case of it, so the approval is then refused. */
function sentenceOf({ channelId }: Break, { type, gross, orderNo, orderStatus }: Line): string {
  const of =
    orderStatus === null
      ? 'no order of ours'
      : `order ${orderNo}, which ${isTerminal(orderStatus) ? `is ${orderStatus}` : 'is open'}`;
  return `a ${type} of ${gross} enters as a report of ${channelId} for ${of}`;
}

/** Ends one of the breaks. Its line and its expectation are explained by the decision, but for a report, which matching has to find. */
async function end(
  within: ChangeTransaction,
  { merchantId, breakNo, channelId, day }: Break,
  {
    resolution,
    request,
    by,
    isAgain,
  }: { resolution: Resolution; request: BreakResolution; by: Decision; isAgain: boolean },
): Promise<void> {
  const { pool } = within.database;
  const state = resolution.type === 'report' ? 'posting' : request.outcome;
  await pool.query(decideBreakSql, [merchantId, breakNo, state, by.actor, by.approver, by.reason]);
  if (resolution.type === 'post') {
    await pool.query(keepPostingSql, [merchantId, breakNo, resolution.writtenOff, resolution.account]);
    await pool.query(matchOrderAgainSql, [merchantId, breakNo]);
  }
  // A report may have come meanwhile: matching finds it before anything is entered.
  if (resolution.type === 'report') await pool.query(makeDueSql, [merchantId, channelId, day]);
  if (resolution.type === 'report' || isAgain) return;
  const isAlone = request.outcome === 'linked' && request.otherBreakNo === null;
  if (isAlone) await pool.query(explainRepetitionSql, [merchantId, breakNo]);
  else await pool.query(explainLineSql, [merchantId, breakNo, request.breakNo, request.outcome]);
  await pool.query(explainExpectationSql, [merchantId, breakNo, request.breakNo]);
}
