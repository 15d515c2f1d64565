import type { Decision } from '../../core/operator.ts';
import type { Domain } from '../domain.ts';

/** A decision that moves money: without a second operator the daily limit counts. */
export function withinLimit({ approvalLimit }: Pick<Domain, 'approvalLimit'>, by: Decision): Decision {
  return by.approver === null || by.approver === by.actor ? { ...by, dailyLimit: approvalLimit } : by;
}
