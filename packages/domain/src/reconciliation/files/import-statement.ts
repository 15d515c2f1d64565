import { type Country, platformMerchantOf } from '../../core/country.ts';
import type { Decision } from '../../core/operator.ts';
import type { Outcome } from '../../core/rejection.ts';
import { timeZoneOf } from '../../countries/index.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration } from '../../ledger/index.ts';
import { findFormat, listFormats } from '../formats/formats.ts';
import type { StatementAccess } from '../statement-access.ts';
import type { StatementFile } from '../types.ts';
import { fileSql, hasLinesSql, knownChannelSql, receiveFileSql, sameFileSql, seenAgainSql } from './queries.ts';

export interface ImportedStatement {
  /** The statement, or the first one with the same content. */
  file: StatementFile;
  /** Whether its content was imported before: then nothing has changed now. */
  isRepeat: boolean;
}

/**
 * Says what an uploaded statement is, and lets the worker import it. A file whose content the channel has already is answered with the first one.
 * Refusals: channel_not_found, format_not_found, statement_not_found, statement_not_waiting.
 */
export function importStatement(
  domain: ChangeAccess & StatementAccess,
  request: { country: Country; channelId: string; fileNo: number; format: string },
  by: Decision,
): Promise<Outcome<ImportedStatement>> {
  const { country, channelId, fileNo, format } = request;
  const merchantId = platformMerchantOf(country);
  const { orm } = domain.database;
  const what = { tenant: merchantId, change: 'importStatement' };
  return changeConfiguration<ImportedStatement>(domain, what, by, async (within) => {
    if (!(await isChannel(within, channelId))) return { ok: false, rejection: 'channel_not_found' };
    const formats = { ...within, statementFormats: domain.statementFormats };
    const reader = await findFormat(formats, format);
    if (!reader) {
      const detail = (await listFormats(formats)).map(({ name }) => name).join(', ');
      return { ok: false, rejection: 'format_not_found', detail };
    }
    const file = await one(within, fileSql(orm), [merchantId, fileNo]);
    if (!file?.sha256) return { ok: false, rejection: 'statement_not_found' };
    if (file.state === 'received' || file.state === 'imported') {
      const isSame = file.channelId === channelId;
      if (!isSame) return { ok: false, rejection: 'statement_not_waiting' };
      return { ok: true, value: { subject: `statement ${fileNo}`, value: { file, isRepeat: true } } };
    }
    const same = await one(within, sameFileSql(orm), [merchantId, channelId, file.sha256, null]);
    if (same) {
      await within.database.pool.query(seenAgainSql, [merchantId, same.fileNo, timeZoneOf[country]]);
      return { ok: true, value: { subject: `statement ${same.fileNo}`, value: { file: same, isRepeat: true } } };
    }
    if (file.contentDeletedAt !== null)
      return { ok: false, rejection: 'statement_not_waiting', detail: 'its content was deleted: upload it again' };
    // Who confirmed it saw it as a statement of another channel or format.
    if (file.confirmedBy !== null)
      return { ok: false, rejection: 'statement_not_waiting', detail: 'it was confirmed as it was: upload it again' };
    // An import in another format would continue after lines of the first format. If the content is uploaded again, it
    // gets another number.
    const stored = await within.database.pool.query(hasLinesSql, [merchantId, fileNo]);
    if (stored.rows.length > 0) return { ok: false, rejection: 'statement_not_waiting', detail: 'upload it again' };
    const values = [merchantId, channelId, fileNo, format, reader.version, [by.actor, by.approver]];
    await within.database.pool.query(receiveFileSql, values);
    const received = (await one(within, fileSql(orm), [merchantId, fileNo])) ?? file;
    const { sha256, size } = file;
    const after = { channelId, format, sha256, size };
    return { ok: true, value: { subject: `statement ${fileNo}`, after, value: { file: received, isRepeat: false } } };
  });
}

async function one(within: ChangeTransaction, text: string, values: unknown[]): Promise<StatementFile | null> {
  const { rows } = await within.database.pool.query<StatementFile & object>(text, values);
  return rows[0] ?? null;
}

async function isChannel(within: ChangeTransaction, channelId: string): Promise<boolean> {
  const { rows } = await within.database.pool.query(knownChannelSql, [channelId]);
  return rows.length > 0;
}
