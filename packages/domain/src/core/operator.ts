/** Who decided, and why. `approver` is a second operator, where two have to agree. */
export interface Decision {
  actor: string;
  approver: string | null;
  reason: string;
  /** The approval by which the second operator agreed: it is used up in the same transaction as what was decided. */
  approvalId?: string;
  /** Decimal text: how much `actor` may move in a day without a second operator, in each currency. Left out: the limit does not apply. */
  dailyLimit?: string;
  /** Only finds out whether it would be done: nothing is written. */
  rehearsal?: true;
}

/** One decision of an operator, kept for ever. `hash` chains it to the one before, per merchant, like wallet entries. */
export interface AuditRecord {
  readonly merchantId: string;
  readonly auditNo: number;
  readonly actor: string;
  readonly approver: string | null;
  readonly action: string;
  /** What it was about: an order, a case, a booking number. */
  readonly subject: string;
  readonly reason: string;
  /** What was decided, as JSON text. */
  readonly detail: string;
  readonly at: number;
  readonly hash: string;
  /** Of the command that decided it; null where its id is not known. Not hashed. */
  readonly commandId: string | null;
}

/** What an operator moved without a second one in this UTC day, in one currency. */
export interface OperatorDay {
  readonly operatorId: string;
  /** As the database writes a date. */
  readonly day: string;
  readonly currency: string;
  readonly amount: string;
}

/** An operator's name in an order's history. */
export function operatorActor({ actor, approver }: Decision): string {
  return approver === null ? `operator:${actor}` : `operator:${actor}+${approver}`;
}
