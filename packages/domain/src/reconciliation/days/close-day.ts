import type { Country } from '../../core/country.ts';
import { platformMerchantOf } from '../../core/country.ts';
import { varianceAccount } from '../../core/ledger.ts';
import { type Decision, isAlone } from '../../core/operator.ts';
import type { Outcome } from '../../core/rejection.ts';
import { timeZoneOf } from '../../countries/index.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration } from '../../ledger/index.ts';
import { postDifference } from '../breaks/decide-resolution.ts';
import { awaitedSql } from '../fetching/queries.ts';
import { decimalText, minorUnits } from '../files/decide-totals.ts';
import { type DayFacts, problemOfClosing } from './decide-close.ts';
import {
  behindSql,
  closeDaySql,
  gapSql,
  lockDaySql,
  openOnDaySql,
  reopenDaySql,
  toleratedOnDaySql,
  unexplainedSql,
  waitingFileSql,
} from './queries.ts';

/** A day of a channel in the country's time zone, `YYYY-MM-DD`. */
export interface DayRef {
  country: Country;
  channelId: string;
  day: string;
}

/** A connection, or a pool of them. */
type Queries = Pick<ChangeTransaction['database']['pool'], 'query'>;

type Found = Pick<
  DayFacts,
  'openBreaks' | 'difference' | 'hasGap' | 'waitingFiles' | 'awaited' | 'isBehind' | 'isUnexplained'
>;

export interface LockedDay extends Omit<DayFacts, keyof Found> {
  state: 'open' | 'closed';
  posted: string;
  closedBy: string | null;
  approver: string | null;
}

/**
 * Closes a day that has no unexplained difference. Differences within the tolerance are posted to the channel's variance account in the same
 * transaction. Two operators have to agree. Refusals: day_closed, day_not_closable, second_operator_needed.
 */
export function closeDay(domain: ChangeAccess, ref: DayRef, by: Decision): Promise<Outcome<DayRef>> {
  const merchantId = platformMerchantOf(ref.country);
  const { channelId, day } = ref;
  return changeConfiguration(domain, { tenant: merchantId, change: 'closeDay' }, by, async (within) => {
    const locked = await lockDay(within, ref);
    if (!locked) return { ok: false, rejection: 'day_not_closable', detail: 'the day is unknown' };
    if (locked.state === 'closed') return { ok: false, rejection: 'day_closed' };
    const problem = problemOfClosing({ ...locked, ...(await factsOf(within.database.pool, ref)) });
    if (problem) return { ok: false, rejection: 'day_not_closable', detail: problem };
    // A rehearsal finds out whether it can be closed, before the second operator is asked.
    if (by.rehearsal !== true && isAlone(by)) return { ok: false, rejection: 'second_operator_needed' };
    const key = [merchantId, channelId, day];
    const sums = await within.database.pool.query<{ tolerated: string }>(toleratedOnDaySql, key);
    const tolerated = sums.rows[0]?.tolerated ?? '0.00';
    const toPost = decimalText(minorUnits(twoDecimals(tolerated)) - minorUnits(locked.posted));
    await within.database.pool.query(closeDaySql, [...key, by.actor, by.approver, toPost]);
    const posting = postDifference(channelId, toPost, varianceAccount(channelId));
    const change = { before: { state: 'open' }, after: { state: 'closed', tolerated: toPost } };
    return {
      ok: true,
      value: { subject: `day ${channelId} ${day}`, ...change, postings: posting ? [posting] : [], value: ref },
    };
  });
}

/** Opens a closed day again, so that its lines can be matched and posted. Refusals: day_not_closed. */
export function reopenDay(domain: ChangeAccess, ref: DayRef, by: Decision): Promise<Outcome<DayRef>> {
  const merchantId = platformMerchantOf(ref.country);
  const { channelId, day } = ref;
  return changeConfiguration(domain, { tenant: merchantId, change: 'reopenDay' }, by, async (within) => {
    const locked = await lockDay(within, ref);
    if (locked?.state !== 'closed') return { ok: false, rejection: 'day_not_closed' };
    await within.database.pool.query(reopenDaySql, [merchantId, channelId, day, by.actor]);
    const { closedBy, approver } = locked;
    const change = { before: { state: 'closed', closedBy, approver }, after: { state: 'open' } };
    return { ok: true, value: { subject: `day ${channelId} ${day}`, ...change, value: ref } };
  });
}

async function lockDay(within: ChangeTransaction, { country, channelId, day }: DayRef): Promise<LockedDay | null> {
  const { rows } = await within.database.pool.query<LockedDay & object>(lockDaySql, [
    platformMerchantOf(country),
    channelId,
    day,
    timeZoneOf[country],
  ]);
  return rows[0] ?? null;
}

/** The facts that decide whether a day can be closed, except those in its own row. */
export async function factsOf(pool: Queries, { country, channelId, day }: DayRef): Promise<Found> {
  const merchantId = platformMerchantOf(country);
  const open = await pool.query<{ count: number; difference: string }>(openOnDaySql, [merchantId, channelId, day]);
  const gap = await pool.query<{ hasGap: boolean }>(gapSql, [merchantId, channelId, day]);
  const waiting = await pool.query<{ count: number }>(waitingFileSql, [merchantId, channelId]);
  const awaited = await pool.query<{ awaited: string }>(awaitedSql, [merchantId, channelId, day, timeZoneOf[country]]);
  const behind = await pool.query<{ isBehind: boolean }>(behindSql, [merchantId, day, timeZoneOf[country]]);
  const left = await pool.query<{ isUnexplained: boolean }>(unexplainedSql, [merchantId, channelId, day]);
  return {
    openBreaks: open.rows[0]?.count ?? 0,
    difference: open.rows[0]?.difference ?? '0.00',
    hasGap: gap.rows[0]?.hasGap === true,
    waitingFiles: waiting.rows[0]?.count ?? 0,
    awaited: awaited.rows.map((row) => row.awaited),
    isBehind: behind.rows[0]?.isBehind === true,
    isUnexplained: left.rows[0]?.isUnexplained === true,
  };
}

/** PostgreSQL's sum of no rows is `0`, without decimals. */
function twoDecimals(text: string): string {
  return text.includes('.') ? text : `${text}.00`;
}
