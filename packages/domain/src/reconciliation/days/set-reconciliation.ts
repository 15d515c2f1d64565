import type { ChannelAccess } from '../../channels/index.ts';
import { type Country, platformMerchantOf } from '../../core/country.ts';
import { type Decision, newVersion } from '../../core/operator.ts';
import type { Outcome } from '../../core/rejection.ts';
import { versionOfReconciliation } from '../../core/version.ts';
import { timeZoneOf } from '../../countries/index.ts';
import { type ChangeAccess, changeConfiguration } from '../../ledger/index.ts';
import { beginAgainSql } from '../expectations/queries.ts';
import { offeredFormats } from '../fetching/offered-formats.ts';
import { knownChannelSql } from '../files/queries.ts';
import { dueDaysSql, reconciledChannelSql, setChannelSql } from './queries.ts';

/** The reconciliation settings of a channel. Settings that a change leaves out stay unchanged. */
export interface ReconciledChannel {
  /** The first day that is reconciled, `YYYY-MM-DD`. */
  beginsOn: string;
  /** How far a statement's line and the ledger may differ, decimal text. */
  tolerance: string;
  /** The account of the statements; null: that of the first statement. */
  account: string | null;
  /** Whether its statements are fetched by schedule. */
  fetches: boolean;
}

export type ReconciliationChange = { country: Country; channelId: string } & {
  [Field in keyof ReconciledChannel]?: ReconciledChannel[Field] | undefined;
};

/**
 * Sets how a channel of a country is reconciled. Refusals: channel_not_found; format_not_found: statements cannot be fetched from a channel that offers
 * none; version_outdated: another operator, or the first statement, has set it meanwhile.
 */
export function setReconciliation(
  domain: ChangeAccess & Pick<ChannelAccess, 'channels'>,
  { country, channelId, ...changes }: ReconciliationChange,
  by: Decision,
): Promise<Outcome<ReconciledChannel & { channelId: string }>> {
  const merchantId = platformMerchantOf(country);
  // The version of these settings is the version of their row: the first statement writes the row without an audit record.
  const { expectedVersion, ...decision } = by;
  const what = { tenant: merchantId, change: 'setReconciliation' };
  return changeConfiguration(domain, what, decision, async (within) => {
    const { pool } = within.database;
    const known = await pool.query(knownChannelSql, [channelId]);
    if (known.rows.length === 0) return { ok: false, rejection: 'channel_not_found' };
    if (changes.fetches === true && (await offeredFormats(domain, channelId)).length === 0)
      return { ok: false, rejection: 'format_not_found', detail: 'this channel offers no statements' };
    const before = await pool.query<ReconciledChannel & object>(reconciledChannelSql, [merchantId, channelId]);
    const [found] = before.rows;
    const version = found ? versionOfReconciliation(found) : newVersion;
    if (expectedVersion !== undefined && expectedVersion !== version)
      return { ok: false, rejection: 'version_outdated' };
    const { beginsOn = null, tolerance = null, account = null, fetches = null } = changes;
    const values = [merchantId, channelId, beginsOn, tolerance, account, timeZoneOf[country], fetches];
    const { rows } = await pool.query<ReconciledChannel & object>(setChannelSql, values);
    const [after] = rows;
    if (!after) throw new Error('a reconciled channel was not stored');
    if (found?.beginsOn !== after.beginsOn) await pool.query(beginAgainSql, [merchantId]);
    await pool.query(dueDaysSql, [merchantId, channelId]);
    const value = { ...after, channelId };
    return { ok: true, value: { subject: channelId, before: found ?? null, after, version, value } };
  });
}
