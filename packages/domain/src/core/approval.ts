import type { Decision } from './operator.ts';
import type { Rejection } from './rejection.ts';

export const approvalStates = ['pending', 'executed', 'rejected', 'expired', 'failed', 'withdrawn'] as const;
/**
 * `expired`: pending after its expiry time; no row stores this state. `failed`: approved, but the operation was then
 * refused. `withdrawn`: the requester took it back.
 */
export type ApprovalState = (typeof approvalStates)[number];

/** An operation that waits for a second operator, or that was decided. Times are Unix milliseconds. */
export interface Approval {
  readonly approvalId: string;
  /** The merchant or platform tenant of the operation. */
  readonly merchantId: string;
  readonly operation: string;
  /** The subject, in a word or two. */
  readonly subject: string;
  /** Further objects that it decides about, such as the other cases that are credited with the first. */
  readonly alsoSubjects: readonly string[];
  /** The input of the operation; secrets by name only. */
  readonly input: { readonly [name: string]: unknown };
  readonly requestedBy: string;
  readonly reason: string;
  readonly requestedAt: number;
  readonly expiresAt: number;
  readonly state: ApprovalState;
  readonly decidedBy: string | null;
  readonly decidedAt: number | null;
  /** Why it was rejected, withdrawn, or failed. */
  readonly outcome: string | null;
  /** The version of the configuration that the requester saw. Another one is refused. Null: any. */
  readonly expectedVersion: string | null;
  /** What the operation did when it was requested, as `effectText` writes it. Another effect is refused. Null: any. */
  readonly effect: string | null;
  /** The effect for which it was refused at its approval. */
  readonly effectNow: string | null;
}

/** Everything that a request decides about. No other request about any of it may wait. */
export function objectsOf({ subject, alsoSubjects }: Pick<Approval, 'subject' | 'alsoSubjects'>): string[] {
  return [...new Set([subject, ...alsoSubjects])];
}

/** Why an approval can no longer be decided; null while it can. Null as the argument: there is no such approval. */
export function problemOfApproval(approval: Approval | null, now: number): Rejection | null {
  if (approval === null || approval.state !== 'pending') return 'approval_decided';
  return approval.expiresAt <= now ? 'approval_expired' : null;
}

/** The approval after its operation was executed. */
export function executedApproval(approval: Approval, by: Decision, now: number): Approval {
  return { ...approval, state: 'executed', decidedBy: by.approver, decidedAt: now };
}
