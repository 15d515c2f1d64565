import { platformMerchantOf } from '../../core/country.ts';
import { mayAccess, type OperatorContext } from '../../core/operator-rights.ts';
import type { Outcome } from '../../core/rejection.ts';
import { countries } from '../../countries/index.ts';
import { type ChangeAccess, changeConfiguration } from '../../ledger/index.ts';
import { readBankFile } from './read-bank-file.ts';
import { fileSql } from './statements.ts';
import type { SettlementFile } from './types.ts';

export interface OpenedFile {
  found: SettlementFile;
  content: Buffer;
}

/**
 * The content of a bank file, as often as it is asked for. The download is recorded before it is given. Only for finance, within the operator's
 * restriction. Refusals: settlement_file_not_found, forbidden, settlement_file_not_ready. Throws if the content is not what it was.
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
  const bankFile = await readBankFile(domain, found);
  if (bankFile?.sha256 !== found.sha256) throw new Error(`the content of ${fileNo} is another one than it was`);
  const by = { actor: operator.operatorId, approver: null, reason: 'a download' };
  const { sha256, merchantId: tenant } = found;
  const named = { tenant, change: 'downloadSettlementFile' };
  const done = await changeConfiguration<null>(domain, named, by, async () => ({
    ok: true,
    value: { subject: fileNo, after: { fileNo, sha256 }, value: null },
  }));
  return done.ok ? { ok: true, value: { found, content: bankFile.content } } : done;
}
