import type { Approval } from '../core/approval.ts';
import { labelOf } from './labels.ts';
import type { AnyOperation, Operation } from './operation.ts';
import { inviteOperator, linkIdentity, unlinkIdentity } from './operations/access.ts';
import { chargeCase, creditCase, resolveRefund, returnCase, writeOffCase } from './operations/cases.ts';
import { disableChannel, enableChannel, mapBank, setChannel } from './operations/channels.ts';
import { setCsvProfile } from './operations/csv-profiles.ts';
import { removeFeeRule, setFeeRule } from './operations/fees.ts';
import { closeFinding, releasePayouts } from './operations/findings.ts';
import { addMerchantKey, retireMerchantKey } from './operations/keys.ts';
import { createMerchant, disableMerchant, enableMerchant, setMerchant } from './operations/merchants.ts';
import {
  pauseNotifications,
  resendNotification,
  resendNotifications,
  resumeNotifications,
} from './operations/notifications.ts';
import {
  changeOperator,
  createOperator,
  disableOperator,
  enableOperator,
  revokeOperatorTokens,
} from './operations/operators.ts';
import { cancelOrder, confirmFunds, refreshOrder, resolvePayout } from './operations/orders.ts';
import {
  closeDay,
  confirmStatement,
  fetchStatement,
  importStatement,
  reopenDay,
  resolveBreak,
  setReconciliation,
} from './operations/reconciliation.ts';
import { removeRoute, setRoute } from './operations/routes.ts';
import { rotateServiceKey } from './operations/service-keys.ts';
import {
  approveSettlement,
  confirmSettlement,
  createSettlementFile,
  draftSettlements,
  failSettlement,
  paySettlement,
  removeSettlementCycle,
  sendSettlement,
  setSettlementCycle,
} from './operations/settlements.ts';
import { acceptProof, claimPayoutTask, giveBackPayoutTask, provePayoutTask, rejectProof } from './operations/tasks.ts';
import { releaseWithheld, withdrawDeclaration } from './operations/test-money.ts';
import { adjustWallet, reverseBooking, settleWallet, topUpWallet } from './operations/wallets.ts';

/** All operations. The admin commands and the GraphQL mutations are made from this table. */
export const operations = {
  createMerchant,
  setMerchant,
  disableMerchant,
  enableMerchant,
  addMerchantKey,
  retireMerchantKey,
  setFeeRule,
  removeFeeRule,
  setRoute,
  removeRoute,
  setChannel,
  withdrawDeclaration,
  enableChannel,
  disableChannel,
  mapBank,
  rotateServiceKey,
  createOperator,
  changeOperator,
  disableOperator,
  enableOperator,
  inviteOperator,
  revokeOperatorTokens,
  linkIdentity,
  unlinkIdentity,
  topUpWallet,
  settleWallet,
  adjustWallet,
  reverseBooking,
  releaseWithheld,
  cancelOrder,
  refreshOrder,
  confirmFunds,
  resolvePayout,
  creditCase,
  returnCase,
  chargeCase,
  writeOffCase,
  resolveRefund,
  claimPayoutTask,
  giveBackPayoutTask,
  provePayoutTask,
  acceptProof,
  rejectProof,
  resendNotification,
  resendNotifications,
  pauseNotifications,
  resumeNotifications,
  closeFinding,
  releasePayouts,
  setReconciliation,
  setCsvProfile,
  fetchStatement,
  importStatement,
  confirmStatement,
  resolveBreak,
  closeDay,
  reopenDay,
  setSettlementCycle,
  removeSettlementCycle,
  createSettlementFile,
  draftSettlements,
  approveSettlement,
  paySettlement,
  sendSettlement,
  confirmSettlement,
  failSettlement,
} as const satisfies Record<string, AnyOperation>;

export type OperationName = keyof typeof operations;

/** The result of an executed operation. */
export type OperationValue<N extends OperationName> =
  (typeof operations)[N] extends Operation<infer _, infer Value> ? Value : never;

/** The operation of this name; null if there is none. */
export function operationOf(name: string): AnyOperation | null {
  return Object.hasOwn(operations, name) ? operations[name as OperationName] : null;
}

/** What an approval does, in a few words: `Mark paid`. For an operation of another version: its name as words. */
export function titleOfApproval({ operation, input }: Pick<Approval, 'operation' | 'input'>): string {
  return operationOf(operation)?.title?.(input) ?? labelOf(operation);
}
