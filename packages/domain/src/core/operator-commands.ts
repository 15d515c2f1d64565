import type { Decision } from './operator.ts';
import type { OrderRef } from './order.ts';
import type { RefundOutcome } from './refund.ts';

/** Cancels an order that was never sent to a channel, or that its channel has confirmed to be closed. */
export interface CancelOrder {
  type: 'cancelOrder';
  ref: OrderRef;
  confirmedBy: 'nothing_sent' | 'channel';
  by: Decision;
}

/** Books funds that an operator saw come in for a manual channel's order. `reference` identifies the payment. */
export interface ConfirmFunds {
  type: 'confirmFunds';
  ref: OrderRef;
  amount: string;
  reference: string;
  by: Decision;
}

/** Resolves a payout without a definite answer of its channel, by evidence that two operators have seen. */
export interface ResolvePayout {
  type: 'resolvePayout';
  ref: OrderRef;
  outcome: 'paid' | 'failed';
  evidence: string;
  by: Decision;
}

/**
 * Decides cases of one tenant: their money goes to an order, to a wallet, or back to its origin. Only a platform
 * tenant's money may go to another merchant.
 */
export interface DecideCase {
  type: 'creditCase' | 'returnCase';
  /** The merchant or tenant of the cases. */
  merchantId: string;
  caseNo: number;
  /** Credited together with `caseNo`, in this order. */
  alsoCaseNos?: readonly number[];
  /** The order to credit, or the order of the case. */
  orderNo: string | null;
  /** The merchant to credit; left out: the merchant of the cases. */
  toMerchantId?: string;
  /** Credits the wallet, not the order. */
  toWallet?: boolean;
  /** For `returnCase`: the channel sends the money back under this number. Left out: it was returned by hand. */
  refundNo?: string;
  by: Decision;
}

/** Ends a case about money that left for a payout that has ended: its merchant pays it, or the platform bears it. */
export interface EndOutgoingCase {
  type: 'chargeCase' | 'writeOffCase';
  /** The merchant or tenant of the case. */
  merchantId: string;
  caseNo: number;
  /** The order of the case; null: it has none. */
  orderNo: string | null;
  by: Decision;
}

/** Ends a refund without a definite answer of its channel, by evidence that two operators have seen. */
export interface ResolveRefund {
  type: 'resolveRefund';
  merchantId: string;
  caseNo: number;
  refundNo: string;
  outcome: RefundOutcome;
  evidence: string;
  by: Decision;
}

/** Takes a task of the market for `lease` ms. */
export interface ClaimTask {
  type: 'claimTask';
  ref: OrderRef;
  lease: number;
  by: Decision;
}

/** Gives a claimed task back to the market: by its operator, or by the worker after the claim expired. */
export interface EndClaim {
  type: 'endClaim';
  ref: OrderRef;
  by: Decision | null;
}

/** Adds the proof of payment to a claimed task. */
export interface ProveTask {
  type: 'proveTask';
  ref: OrderRef;
  proof: { reference: string; payer: string; note: string | null };
  by: Decision;
}

/** A second operator's decision on a proof. Accepted settles the payout; rejected gives the claim another lease. */
export interface JudgeProof {
  type: 'acceptProof' | 'rejectProof';
  ref: OrderRef;
  /** For a rejected proof: how long its claimant has for another, in ms. */
  lease: number;
  /** Only the proof that was brought then, in Unix ms; left out: whichever there is. */
  provedAt?: number;
  by: Decision;
}

/** Stores an operation until a second operator decides. */
export interface RequestApproval {
  type: 'requestApproval';
  /** The merchant or platform tenant whose audit records have it. */
  merchantId: string;
  approvalId: string;
  operation: string;
  subject: string;
  /** Further objects that it decides about. */
  alsoSubjects: readonly string[];
  /** Input as the operation reads it; secrets by their names alone. */
  input: { readonly [name: string]: unknown };
  /** Sealed, in PostgreSQL's notation for bytes (`\x…`); null where there are none. Not in the audit record. */
  secrets: string | null;
  /** What it does to money and statuses now, as `effectText` writes it. Null: it is not compared. */
  effect: string | null;
  /** How long a second operator has to decide, in ms. */
  lifetime: number;
  by: Decision;
}

/** Closes an approval without executing it. `outcome` says why. */
export interface CloseApproval {
  type: 'rejectApproval' | 'withdrawApproval' | 'failApproval';
  merchantId: string;
  approvalId: string;
  outcome: string;
  /** For `effect_changed`: what it would do now. */
  effectNow?: string | null;
  by: Decision;
}

export type OperatorCommand =
  | CancelOrder
  | ConfirmFunds
  | ResolvePayout
  | DecideCase
  | EndOutgoingCase
  | ResolveRefund
  | ClaimTask
  | EndClaim
  | ProveTask
  | JudgeProof
  | RequestApproval
  | CloseApproval;
