/** The version of configuration that does not exist: the decision creates it. */
export const newVersion = 'new';

/** Who decided, and why. `approver` is the second operator, if two have to agree. */
export interface Decision {
  actor: string;
  approver: string | null;
  reason: string;
  /** The approval of the second operator. It is consumed in the same transaction as the decision. */
  approvalId?: string;
  /** How much `actor` may move per day and currency without a second operator, as decimal text. Left out: no limit. */
  dailyLimit?: string;
  /** A rehearsal: checks whether it would be accepted, and writes nothing. */
  rehearsal?: true;
  /** The version of the row that `actor` saw, or `newVersion`. Another version is refused. Left out: any. */
  expectedVersion?: string;
}

/** One operator's decision, kept permanently. */
export interface AuditRecord {
  readonly merchantId: string;
  readonly auditNo: number;
  readonly actor: string;
  readonly approver: string | null;
  readonly action: string;
  /** The subject: an order, a case, a booking number. */
  readonly subject: string;
  readonly reason: string;
  /** The decision, as JSON text. */
  readonly detail: string;
  readonly at: number;
  /** The id of the command; null if it is not known. The ledger chain does not cover it. */
  readonly commandId: string | null;
  /** The link of the ledger chain that covers it. */
  readonly batchNo: number;
}

/** What an operator moved without a second one in this UTC day, in one currency. */
export interface OperatorDay {
  readonly operatorId: string;
  /** A date as the database writes it. */
  readonly day: string;
  readonly currency: string;
  readonly amount: string;
}

/** An operator's name in an order's history. */
export function operatorActor({ actor, approver }: Decision): string {
  return approver === null ? `operator:${actor}` : `operator:${actor}+${approver}`;
}

/** Whether no second operator has agreed: what needs two is refused then. */
export const isAlone = ({ actor, approver }: Pick<Decision, 'actor' | 'approver'>): boolean =>
  approver === null || approver === actor;
