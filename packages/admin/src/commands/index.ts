import type { AdminCommand } from '../line/command.ts';
import { changes } from '../operations/changes.ts';
import { approveCommand } from './approve.ts';
import { auditCommand } from './audit.ts';
import { changeSecretCommand } from './change-secret.ts';
import { checkChannelCommand } from './check-channel.ts';
import { checkDatabaseCommand } from './check-database.ts';
import { copySealsCommand } from './copy-seals.ts';
import { createOperatorCommand } from './create-operator.ts';
import { examineCallbackCommand } from './examine-callback.ts';
import { importStatementCommand } from './import-statement.ts';
import { listApprovals } from './list-approvals.ts';
import { listCases } from './list-cases.ts';
import { listChannelsCommand } from './list-channels.ts';
import { listCsvProfilesCommand } from './list-csv-profiles.ts';
import { listFindings } from './list-findings.ts';
import { listHistory } from './list-history.ts';
import { listMerchantsCommand } from './list-merchants.ts';
import { listOperatorsCommand } from './list-operators.ts';
import { listStuckPayouts } from './list-stuck-payouts.ts';
import { listTasks } from './list-tasks.ts';
import { makeCodeCommand } from './make-code.ts';
import { makeKeysCommand } from './make-keys.ts';
import { listFees, listKeys, listRoutesCommand, listServiceKeysCommand } from './merchant-lists.ts';
import { migrate } from './migrate.ts';
import { partition } from './partition-tables.ts';
import { previewStatementCommand } from './preview-statement.ts';
import { redeemCodeCommand } from './redeem-code.ts';
import { rejectCommand } from './reject.ts';
import { requestExportCommand } from './request-export.ts';
import { restorePeriodCommand } from './restore-period.ts';
import { saveExportCommand } from './save-export.ts';
import { saveSettlementFileCommand } from './save-settlement-file.ts';
import { setCsvProfileCommand } from './set-csv-profile.ts';
import { showOrder } from './show-order.ts';
import { showWallet } from './show-wallet.ts';
import { verifySeals } from './verify-seals.ts';
import { withdrawCommand } from './withdraw.ts';

/** Every command. `--help` shows them by heading. */
export const commands: readonly AdminCommand[] = [
  migrate,
  partition,
  makeKeysCommand,
  changeSecretCommand,
  createOperatorCommand,
  listOperatorsCommand,
  makeCodeCommand,
  redeemCodeCommand,
  listMerchantsCommand,
  listKeys,
  listServiceKeysCommand,
  listFees,
  listRoutesCommand,
  listHistory,
  listChannelsCommand,
  checkChannelCommand,
  examineCallbackCommand,
  showWallet,
  showOrder,
  listStuckPayouts,
  listCases,
  listTasks,
  listApprovals,
  approveCommand,
  rejectCommand,
  withdrawCommand,
  auditCommand,
  verifySeals,
  copySealsCommand,
  listFindings,
  checkDatabaseCommand,
  restorePeriodCommand,
  listCsvProfilesCommand,
  setCsvProfileCommand,
  previewStatementCommand,
  importStatementCommand,
  requestExportCommand,
  saveExportCommand,
  saveSettlementFileCommand,
  ...changes,
];
