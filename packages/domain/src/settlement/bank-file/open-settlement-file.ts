import { platformMerchantOf } from '../../core/country.ts';
import type { Decision } from '../../core/operator.ts';
import { mayAccess, type OperatorContext } from '../../core/operator-rights.ts';
import type { Outcome } from '../../core/rejection.ts';
import { countries } from '../../countries/index.ts';
import { type ChangeAccess, changeConfiguration } from '../../ledger/index.ts';
import { downloadSql, fileSql, isDownloadedSql, ofFileSql } from './queries.ts';
import { readBankFile } from './read-bank-file.ts';
import type { SettlementFile } from './types.ts';

export interface OpenedFile {
  found: SettlementFile;
  content: Buffer;
}

/**
 * The content of a bank file, as often as it is asked for. The download is recorded before it is given. Only for finance, within the operator's
 * restriction. Refusals: settlement_file_not_found, forbidden, settlement_file_not_ready, settlement_file_void. Throws if the content is not what it was.
 */
export async function openSettlementFile(
  domain: ChangeAccess,
  operator: OperatorContext,
  fileNo: string,
): Promise<Outcome<OpenedFile>> {
  const { rows } = await domain.database.pool.query<SettlementFile>(fileSql, [fileNo]);
  const [found] = rows;
  const country = countries.find((one) => platformMerchantOf(one) === found?.merchantId) ?? null;
  const isSeen = found && mayAccess(operator, { merchantId: found.merchantId, country });
  if (!found || !isSeen) return { ok: false, rejection: 'settlement_file_not_found' };
  if (!operator.roles.includes('finance')) return { ok: false, rejection: 'forbidden', detail: 'only finance pays' };
  if (found.state !== 'ready') return { ok: false, rejection: 'settlement_file_not_ready' };
  return download(domain, found, { actor: operator.operatorId, approver: null, reason: 'a download' });
}

/**
 * The first download fixes the content: what failed before is not in it. It waits for settlements that fail at this moment, because both hold the
 * wallets of their merchants.
 */
async function download(
  domain: ChangeAccess,
  { fileNo, merchantId: tenant }: SettlementFile,
  by: Decision,
): Promise<Outcome<OpenedFile>> {
  const { rows } = await domain.database.pool.query<{ merchantId: string }>(ofFileSql, [fileNo]);
  const alsoHeld = rows.map(({ merchantId }) => merchantId);
  const named = { tenant, change: 'downloadSettlementFile', alsoHeld };
  return changeConfiguration<OpenedFile>(domain, named, by, async (within) => {
    const { pool } = within.database;
    const before = await pool.query<{ isDownloaded: boolean }>(isDownloadedSql, [fileNo]);
    const [file] = (await pool.query<SettlementFile & object>(fileSql, [fileNo])).rows;
    if (!file) return { ok: false, rejection: 'settlement_file_not_found' };
    const bankFile = await readBankFile(within, file);
    if (!bankFile) return { ok: false, rejection: 'settlement_file_void' };
    const { content, sha256, payments, total } = bankFile;
    if (before.rows[0]?.isDownloaded !== true) await pool.query(downloadSql, [fileNo, payments.length, total, sha256]);
    // Whoever has the file could upload it again, with the payment that failed.
    else if (payments.length !== file.settlements) return { ok: false, rejection: 'settlement_file_void' };
    else if (sha256 !== file.sha256) throw new Error(`the content of ${fileNo} is another one than it was`);
    const [found = file] = (await pool.query<SettlementFile & object>(fileSql, [fileNo])).rows;
    return { ok: true, value: { subject: fileNo, after: { fileNo, sha256 }, value: { found, content } } };
  });
}
