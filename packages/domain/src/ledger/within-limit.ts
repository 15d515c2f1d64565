import { type Decision, isAlone } from '../core/operator.ts';

/** For verbs that move money on an operator's decision. */
export interface MovementLimit {
  /** How much an operator may move per UTC day and currency without a second operator: decimal text. */
  approvalLimit: string;
}

/** A decision that moves money: without a second operator the daily limit counts. */
export function withinLimit({ approvalLimit }: MovementLimit, by: Decision): Decision {
  return isAlone(by) ? { ...by, dailyLimit: approvalLimit } : by;
}
