import type { OperationName } from '../actions/operation.ts';
import { plainWords } from '../format/words.ts';
import { choice, choices, text, texts } from '../list/filters.ts';
import { approvalStateWords, approvalViews } from './approval-words.ts';

/** Operations that may need two operators, in the order of the alphabet. */
const FOR_TWO = [
  ...([
    'acceptProof',
    'addMerchantKey',
    'adjustWallet',
    'approveSettlement',
    'changeOperator',
    'chargeCase',
    'closeDay',
  ] as const),
  ...([
    'closeFinding',
    'confirmFunds',
    'confirmSettlement',
    'createOperator',
    'createSettlementFile',
    'creditCase',
    'enableChannel',
  ] as const),
  ...(['enableOperator', 'failSettlement', 'giveBackPayoutTask', 'inviteOperator', 'linkIdentity', 'mapBank'] as const),
  ...([
    'provePayoutTask',
    'releasePayouts',
    'releaseWithheld',
    'removeFeeRule',
    'removeRoute',
    'resolveBreak',
    'resolvePayout',
  ] as const),
  ...([
    'resolveRefund',
    'retireMerchantKey',
    'returnCase',
    'reverseBooking',
    'rotateServiceKey',
    'setChannel',
    'setCsvProfile',
    'setFeeRule',
  ] as const),
  ...([
    'setMerchant',
    'setReconciliation',
    'setRoute',
    'setSettlementCycle',
    'settleWallet',
    'topUpWallet',
    'unlinkIdentity',
    'writeOffCase',
  ] as const),
] satisfies readonly OperationName[];

const operationWords = Object.fromEntries(FOR_TWO.map((name) => [name, plainWords(name)]));

/** What the filter bar of the approvals offers. */
export const approvalFilters = {
  states: choices('State', approvalStateWords),
  operations: choices('Operation', operationWords),
  merchantIds: texts('Merchant', 'M1001, PLATFORM'),
  requestedBy: text('Asked by', "an operator's id"),
};

/** All URL parameters of the list of approvals. */
export const approvalSearch = { ...approvalFilters, view: choice('View', approvalViews) };
