import type { AdminCommand } from '../command.ts';
import { acceptProof } from './accept-proof.ts';
import { addKey } from './add-key.ts';
import { adjust } from './adjust.ts';
import { auditCommand } from './audit.ts';
import { cancelOrderCommand } from './cancel-order.ts';
import { claimTask } from './claim-task.ts';
import { confirmFundsCommand } from './confirm-funds.ts';
import { createMerchantCommand } from './create-merchant.ts';
import { createOperatorCommand } from './create-operator.ts';
import { createToken } from './create-token.ts';
import { creditCase } from './credit-case.ts';
import { disableChannel } from './disable-channel.ts';
import { disableMerchant } from './disable-merchant.ts';
import { disableOperator } from './disable-operator.ts';
import { enableChannel } from './enable-channel.ts';
import { enableMerchant } from './enable-merchant.ts';
import { enableOperator } from './enable-operator.ts';
import { giveBackTask } from './give-back-task.ts';
import { listCases } from './list-cases.ts';
import { listStuckPayouts } from './list-stuck-payouts.ts';
import { listTasks } from './list-tasks.ts';
import { mapBankCommand } from './map-bank.ts';
import { migrate } from './migrate.ts';
import { proveTask } from './prove-task.ts';
import { rejectProof } from './reject-proof.ts';
import { removeRouteCommand } from './remove-route.ts';
import { resolvePayoutCommand } from './resolve-payout.ts';
import { retireKey } from './retire-key.ts';
import { returnCase } from './return-case.ts';
import { revokeToken } from './revoke-token.ts';
import { setChannelCommand } from './set-channel.ts';
import { setFee } from './set-fee.ts';
import { setMerchantCommand } from './set-merchant.ts';
import { setRouteCommand } from './set-route.ts';
import { settle } from './settle.ts';
import { showOrder } from './show-order.ts';
import { showWallet } from './show-wallet.ts';
import { topUp } from './top-up.ts';

/** Every command, in the order of `--help`. */
export const commands: readonly AdminCommand[] = [
  migrate,
  createOperatorCommand,
  createMerchantCommand,
  disableMerchant,
  enableMerchant,
  setMerchantCommand,
  addKey,
  retireKey,
  setFee,
  setRouteCommand,
  removeRouteCommand,
  setChannelCommand,
  enableChannel,
  disableChannel,
  mapBankCommand,
  createToken,
  revokeToken,
  disableOperator,
  enableOperator,
  topUp,
  settle,
  adjust,
  showWallet,
  showOrder,
  cancelOrderCommand,
  confirmFundsCommand,
  listStuckPayouts,
  resolvePayoutCommand,
  listCases,
  creditCase,
  returnCase,
  listTasks,
  claimTask,
  giveBackTask,
  proveTask,
  acceptProof,
  rejectProof,
  auditCommand,
];
