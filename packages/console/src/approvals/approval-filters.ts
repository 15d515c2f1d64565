import type { OperationName } from '../actions/operation.ts';
import { plainWords } from '../format/words.ts';
import { choice, choices, text, texts } from '../list/filters.ts';
import { approvalStateWords, approvalViews } from './approval-words.ts';

/** Operations that need two operators, always or above a limit. */
const FOR_TWO = [
  ...([
    'acceptProof',
    'addMerchantKey',
    'adjustWallet',
    'changeOperator',
    'closeDay',
    'closeFinding',
    'confirmFunds',
  ] as const),
  ...(['createOperator', 'creditCase', 'enableOperator', 'endCommonServiceKey', 'inviteOperator'] as const),
  ...(['linkIdentity', 'removeFeeRule', 'removeRoute', 'resolveBreak', 'resolvePayout', 'retireMerchantKey'] as const),
  ...([
    'rotateServiceKey',
    'setChannel',
    'setFeeRule',
    'setReconciliation',
    'setRoute',
    'settleWallet',
    'topUpWallet',
  ] as const),
  ...(['unlinkIdentity', 'useOwnServiceKey'] as const),
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
