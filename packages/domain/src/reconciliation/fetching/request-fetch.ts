import type { ChannelAccess } from '../../channels/index.ts';
import { type Country, platformMerchantOf } from '../../core/country.ts';
import type { Decision } from '../../core/operator.ts';
import type { Outcome } from '../../core/rejection.ts';
import { timeZoneOf } from '../../countries/index.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration } from '../../ledger/index.ts';
import { knownChannelSql } from '../files/queries.ts';
import { fetchTimes } from './decide-fetch.ts';
import { offeredFormats } from './offered-formats.ts';
import { askForFetchSql, fetchableDaySql } from './queries.ts';

/** A day of a channel in the country's time zone, `YYYY-MM-DD`. */
interface FetchRequest {
  country: Country;
  channelId: string;
  day: string;
  /** Null: all formats that the channel offers. */
  format: string | null;
}

export interface RequestedFetch {
  country: Country;
  channelId: string;
  day: string;
  /** What the worker fetches now. */
  formats: readonly string[];
}

/**
 * Lets the worker fetch the statement of a day now, also one that the schedule gave up or has already. The same content again changes nothing.
 * Refusals: channel_not_found, format_not_found, day_not_fetchable.
 */
export function requestFetch(
  domain: ChangeAccess & Pick<ChannelAccess, 'channels'>,
  { country, channelId, day, format }: FetchRequest,
  by: Decision,
): Promise<Outcome<RequestedFetch>> {
  const merchantId = platformMerchantOf(country);
  return changeConfiguration(domain, { tenant: merchantId, change: 'fetchStatement' }, by, async (within) => {
    const { pool } = within.database;
    const known = await pool.query(knownChannelSql, [channelId]);
    if (known.rows.length === 0) return { ok: false, rejection: 'channel_not_found' };
    const offered = await offeredFormats(domain, channelId);
    const formats = offered.filter((one) => format === null || one === format);
    if (formats.length === 0) {
      const detail = offered.length === 0 ? 'this channel offers no statements' : offered.join(', ');
      return { ok: false, rejection: 'format_not_found', detail };
    }
    const problem = await problemOfDay(within, [merchantId, channelId, day, timeZoneOf[country]]);
    if (problem !== null) return { ok: false, rejection: 'day_not_fetchable', detail: problem };
    for (const one of formats)
      await pool.query(askForFetchSql, [merchantId, channelId, one, day, by.actor, fetchTimes.lifetimeOfRequest]);
    const value = { country, channelId, day, formats };
    return { ok: true, value: { subject: `statement ${channelId} ${day}`, after: { channelId, day, formats }, value } };
  });
}

async function problemOfDay(within: ChangeTransaction, values: unknown[]): Promise<string | null> {
  const { rows } = await within.database.pool.query<{ beginsOn: string; isOver: boolean }>(fetchableDaySql, values);
  const [found] = rows;
  if (!found) return 'this channel is not reconciled yet: set from which day';
  const day = String(values[2]);
  if (day < found.beginsOn) return `the reconciliation of this channel begins on ${found.beginsOn}`;
  return found.isOver ? null : 'the day is not over';
}
