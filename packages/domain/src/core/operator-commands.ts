import type { Decision } from './operator.ts';
import type { OrderRef } from './order.ts';

/** Ends an order that nobody was asked to carry yet, or that its channel has confirmed to be closed. */
export interface CancelOrder {
  type: 'cancelOrder';
  ref: OrderRef;
  confirmedBy: 'nothing_sent' | 'channel';
  by: Decision;
}

/** Books funds that an operator saw come in for an order of a manual channel. `reference` identifies the payment. */
export interface ConfirmFunds {
  type: 'confirmFunds';
  ref: OrderRef;
  amount: string;
  reference: string;
  by: Decision;
}

/** Ends a payout whose channel never gave a definite answer, by evidence that two operators have seen. */
export interface ResolvePayout {
  type: 'resolvePayout';
  ref: OrderRef;
  outcome: 'paid' | 'failed';
  evidence: string;
  by: Decision;
}

/**
 * Decides cases of one tenant: their money goes to an order, or to a wallet, or back to where it came from. Only the platform's own
 * tenants have money for another merchant.
 */
export interface DecideCase {
  type: 'creditCase' | 'returnCase';
  /** Whose cases. */
  merchantId: string;
  caseNo: number;
  /** Credited together with `caseNo`, in this order. */
  alsoCaseNos?: readonly number[];
  /** The order that is credited, or that the case is about. */
  orderNo: string | null;
  /** Whose order or wallet is credited; left out: of the cases' merchant. */
  toMerchantId?: string;
  /** Credits the wallet, not the order. */
  toWallet?: boolean;
  by: Decision;
}

/** Takes a task of the market for `lease` ms. */
export interface ClaimTask {
  type: 'claimTask';
  ref: OrderRef;
  lease: number;
  by: Decision;
}

/** Gives a claimed task back to the market: its operator, or the worker when the claim has run out. */
export interface EndClaim {
  type: 'endClaim';
  ref: OrderRef;
  by: Decision | null;
}

/** Says how a claimed task was paid. */
export interface ProveTask {
  type: 'proveTask';
  ref: OrderRef;
  proof: { reference: string; payer: string; note: string | null };
  by: Decision;
}

/** A second operator's judgement of a proof: accepted settles the payout, rejected gives the claim another lease. */
export interface JudgeProof {
  type: 'acceptProof' | 'rejectProof';
  ref: OrderRef;
  /** For a rejected proof: how long its claimant has for another, in ms. */
  lease: number;
  /** Only the proof that was brought then, in Unix ms; left out: whichever there is. */
  provedAt?: number;
  by: Decision;
}

/** Keeps an operation until a second operator decides. */
export interface RequestApproval {
  type: 'requestApproval';
  /** In whose chain of audit records it is: a merchant's, or a platform tenant's. */
  merchantId: string;
  approvalId: string;
  operation: string;
  subject: string;
  /** As the operation reads it; secrets by their names alone. */
  input: { readonly [name: string]: unknown };
  /** Sealed, in PostgreSQL's notation for bytes (`\x…`); null where there are none. Not in the audit record. */
  secrets: string | null;
  /** How long a second operator has to decide, in ms. */
  lifetime: number;
  by: Decision;
}

/** Ends an approval without doing what it was for. `outcome` says why. */
export interface CloseApproval {
  type: 'rejectApproval' | 'withdrawApproval' | 'failApproval';
  merchantId: string;
  approvalId: string;
  outcome: string;
  by: Decision;
}

export type OperatorCommand =
  | CancelOrder
  | ConfirmFunds
  | ResolvePayout
  | DecideCase
  | ClaimTask
  | EndClaim
  | ProveTask
  | JudgeProof
  | RequestApproval
  | CloseApproval;
