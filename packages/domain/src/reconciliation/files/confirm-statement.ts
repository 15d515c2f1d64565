import { type Country, platformMerchantOf } from '../../core/country.ts';
import type { Decision } from '../../core/operator.ts';
import type { Outcome } from '../../core/rejection.ts';
import { type ChangeAccess, changeConfiguration } from '../../ledger/index.ts';
import type { StatementFile } from '../types.ts';
import { confirmFileSql, fileSql } from './queries.ts';

/**
 * Records that an uploaded statement is the one of the bank. Its lines prove settlements only then, because whoever uploads
 * a file, or has it imported, could have written it. A second time changes nothing.
 * Refusals: statement_not_found, statement_fetched, own_upload, version_outdated (`sha256` is of another content).
 */
export function confirmStatement(
  domain: ChangeAccess,
  { country, fileNo, sha256 }: { country: Country; fileNo: number; sha256: string },
  by: Decision,
): Promise<Outcome<StatementFile>> {
  const merchantId = platformMerchantOf(country);
  const { orm } = domain.database;
  const what = { tenant: merchantId, change: 'confirmStatement' };
  return changeConfiguration<StatementFile>(domain, what, by, async ({ database: { pool } }) => {
    const read = async () => (await pool.query<StatementFile & object>(fileSql(orm), [merchantId, fileNo])).rows[0];
    const file = await read();
    if (file?.state !== 'received' && file?.state !== 'imported')
      return { ok: false, rejection: 'statement_not_found' };
    if (file.fetchedDay !== null) return { ok: false, rejection: 'statement_fetched' };
    if (file.sha256 !== sha256) return { ok: false, rejection: 'version_outdated' };
    const subject = `statement ${fileNo}`;
    if ([file.uploadedBy, ...file.importedBy].includes(by.actor)) return { ok: false, rejection: 'own_upload' };
    if (file.confirmedBy !== null) return { ok: true, value: { subject, value: file } };
    await pool.query(confirmFileSql, [merchantId, fileNo, by.actor]);
    const { channelId, name, uploadedBy } = file;
    const after = { channelId, name, sha256, uploadedBy };
    return { ok: true, value: { subject, after, value: (await read()) ?? file } };
  });
}
