import type { DatabaseAccess } from '../database/database.ts';
import type { VaultAccess } from '../database/vault.ts';
import { openAuditRecords } from './kinds/audit-records.ts';
import { openOrders } from './kinds/orders.ts';
import { openBreaks, openStatementLines } from './kinds/reconciliation.ts';
import type { Source } from './kinds/source.ts';
import { openWalletStatement } from './kinds/wallet-statement.ts';
import { type ClaimedExport, exportLimits } from './types.ts';

/** The rows of an export, within the restriction of the operator who requested it. */
export async function openSource(domain: DatabaseAccess & VaultAccess, claimed: ClaimedExport): Promise<Source> {
  const { countries, merchantIds, format } = claimed;
  const scope = { countries, merchantIds };
  const most = exportLimits.rows[format];
  switch (claimed.kind) {
    case 'orders':
      return openOrders(domain, scope, claimed.input, most);
    case 'wallet_statement':
      return openWalletStatement(domain, claimed.input);
    case 'breaks':
      return openBreaks(domain, scope, claimed.input, most);
    case 'statement_lines':
      return openStatementLines(domain, claimed.input);
    case 'audit_records':
      return openAuditRecords(domain, scope, claimed.input, most);
    default:
      return claimed satisfies never;
  }
}
