import { type Country, platformMerchantOf } from '../../core/country.ts';
import type { Decision } from '../../core/operator.ts';
import type { Outcome } from '../../core/rejection.ts';
import { timeZoneOf } from '../../countries/index.ts';
import { type ChangeAccess, changeConfiguration } from '../../ledger/index.ts';
import { beginAgainSql } from '../expectations/statements.ts';
import { knownChannelSql } from '../files/statements.ts';
import { dueDaysSql, reconciledChannelSql, setChannelSql } from './statements.ts';

/** How a channel is reconciled. What is left out of a change stays. */
export interface ReconciledChannel {
  /** The first day that is reconciled, `YYYY-MM-DD`. */
  beginsOn: string;
  /** How far a statement's line and the ledger may differ, decimal text. */
  tolerance: string;
  /** The account that statements have to be about; null: that of the first statement. */
  account: string | null;
}

export type ReconciliationChange = { country: Country; channelId: string } & {
  [Field in keyof ReconciledChannel]?: ReconciledChannel[Field] | undefined;
};

/** Sets how a channel of a country is reconciled. Refusals: channel_not_found. */
export function setReconciliation(
  domain: ChangeAccess,
  { country, channelId, ...changes }: ReconciliationChange,
  by: Decision,
): Promise<Outcome<ReconciledChannel & { channelId: string }>> {
  const merchantId = platformMerchantOf(country);
  return changeConfiguration(domain, { tenant: merchantId, change: 'setReconciliation' }, by, async (within) => {
    const { pool } = within.database;
    const known = await pool.query(knownChannelSql, [channelId]);
    if (known.rows.length === 0) return { ok: false, rejection: 'channel_not_found' };
    const before = await pool.query<ReconciledChannel & object>(reconciledChannelSql, [merchantId, channelId]);
    const { beginsOn = null, tolerance = null, account = null } = changes;
    const values = [merchantId, channelId, beginsOn, tolerance, account, timeZoneOf[country]];
    const { rows } = await pool.query<ReconciledChannel & object>(setChannelSql, values);
    const [after] = rows;
    if (!after) throw new Error('a reconciled channel was not stored');
    if (before.rows[0]?.beginsOn !== after.beginsOn) await pool.query(beginAgainSql, [merchantId]);
    await pool.query(dueDaysSql, [merchantId, channelId]);
    const value = { ...after, channelId };
    return { ok: true, value: { subject: channelId, before: before.rows[0] ?? null, after, value } };
  });
}
