import type { Country } from '../core/country.ts';
import type { Decision } from '../core/operator.ts';
import type { Outcome } from '../core/rejection.ts';
import { settlementNoOf } from '../core/settlement.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { timeZoneOf } from '../countries/index.ts';
import { isUnavailable } from '../database/connection-loss.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { type LedgerAccess, MerchantHeld } from '../ledger/index.ts';
import { type Calendar, cutOffOf, isWorkingDay, runsOn } from './calendar/decide-days.ts';
import { holidayYears } from './calendar/index.ts';
import { continueDraft, draftOf } from './decide-draft.ts';
import { cyclesSql, todaySql } from './queries.ts';
import { type Cycle, type Due, readDraftFacts } from './read-draft-facts.ts';

/** What one run has done. Amounts are not summed: merchants of a country may not share a cycle. */
export interface SettlementRun {
  country: Country;
  /** `YYYY-MM-DD` in the country's time zone. */
  day: string;
  /** The numbers of the settlements that the run drafted, or found as they are. */
  settlementNos: string[];
  /** Merchants whose draft could not be computed now. The log has the reasons. */
  failed: string[];
  /** Merchants whose working days reach into a year without a holiday file. */
  skipped: string[];
  /** The run goes on after this merchant; null: it is done. */
  nextAfter: string | null;
}

type Access = LedgerAccess & DatabaseAccess & Telemetry;

/** How many merchants one call takes. */
const maxMerchants = 200;

/**
 * Drafts the settlements of a country whose cycles run on a day, by default today. A draft that already exists is
 * computed again. Nothing else changes, so it can be repeated. Refusals: invalid_input, holidays_unknown if the day itself is in a year without a
 * file.
 */
export async function draftSettlements(
  domain: Access,
  request: { country: Country; day?: string | undefined; after?: string | undefined },
  by: Decision,
): Promise<Outcome<SettlementRun>> {
  const { country } = request;
  const { pool } = domain.database;
  const now = await todayOf(domain, country);
  const day = request.day ?? now;
  if (day > now) {
    const reason = `has not begun: the newest is ${now}`;
    return { ok: false, rejection: 'invalid_input', fields: [{ path: 'day', reason }] };
  }
  const calendar: Calendar = { country, years: holidayYears };
  if (isWorkingDay(calendar, day) === null)
    return { ok: false, rejection: 'holidays_unknown', detail: `${country} on ${day}` };
  const { rows } = await pool.query<Cycle>(cyclesSql, [country, request.after ?? '', maxMerchants + 1]);
  const cycles = rows.slice(0, maxMerchants);
  const run: SettlementRun = { country, day, settlementNos: [], failed: [], skipped: [], nextAfter: null };
  if (rows.length > maxMerchants) run.nextAfter = cycles.at(-1)?.merchantId ?? null;
  for (const cycle of cycles) await runCycle(domain, calendar, run, cycle, by);
  return { ok: true, value: run };
}

interface TodayAccess {
  database: { pool: { query<Row extends object>(text: string, values: unknown[]): Promise<{ rows: Row[] }> } };
}

/** Today in a country, as `YYYY-MM-DD`. */
export async function todayOf({ database }: TodayAccess, country: Country): Promise<string> {
  const { rows } = await database.pool.query<{ today: string }>(todaySql, [timeZoneOf[country]]);
  return rows[0]?.today ?? '';
}

async function runCycle(
  domain: Access,
  calendar: Calendar,
  run: SettlementRun,
  cycle: Cycle,
  by: Decision,
): Promise<void> {
  const { country, day } = run;
  const { merchantId } = cycle;
  if (runsOn(calendar, cycle.weekdays, day) === false) return;
  const outcome = await draftCycle(domain, calendar, { country, cycle, day }, by);
  if (outcome === 'skipped') run.skipped.push(merchantId);
  else if (outcome === 'failed') run.failed.push(merchantId);
  else if (outcome !== 'nothing') run.settlementNos.push(outcome.settlementNo);
}

/**
 * Drafts the settlement of a merchant whose cycle runs on a day. `nothing`: it begins later, or another one was approved meanwhile. `skipped`: the
 * holidays of a year on the way are not known. `failed`: it cannot be computed now, and the log has the reason.
 */
export async function draftCycle(
  domain: Access,
  calendar: Calendar,
  { country, cycle, day }: Omit<Due, 'cutOff'>,
  by: Decision,
): Promise<{ settlementNo: string } | 'nothing' | 'skipped' | 'failed'> {
  const cutOff = cutOffOf(calendar, day, cycle.workingDays);
  if (runsOn(calendar, cycle.weekdays, day) === null || cutOff === null) return 'skipped';
  try {
    const settlementNo = await draft(domain, { country, cycle, day, cutOff }, by);
    return settlementNo === null ? 'nothing' : { settlementNo };
  } catch (error) {
    // The others do not wait for a merchant whose wallet another session holds.
    if (isUnavailable(error) && !(error instanceof MerchantHeld)) throw error;
    domain.log.error({ err: error, merchantId: cycle.merchantId }, 'a settlement cannot be drafted now');
    return 'failed';
  }
}

/** Drafts the settlement of one merchant; null: it begins later, or another one was approved meanwhile. */
async function draft(domain: Access, due: Due, by: Decision): Promise<string | null> {
  const found = await readDraftFacts(domain, due);
  if (!found) return null;
  const { seq, drafted, facts } = found;
  const { merchantId, tag } = due.cycle;
  const settlementNo = settlementNoOf(tag, seq);
  const stored = await domain.commit({
    type: 'draftSettlement',
    merchantId,
    seq,
    settlementNo,
    by,
    draft: drafted ? continueDraft(drafted, facts) : draftOf(facts),
  });
  return stored.ok ? settlementNo : null;
}
