import type { FieldProblem } from '../core/rejection.ts';

/** Checks the reason that an operator gives. Every audit record stores it. */
export function reasonProblem(reason: string): FieldProblem[] {
  const isRight = reason.trim() !== '' && reason.length <= 500 && !reason.includes('\u0000') && reason.isWellFormed();
  return isRight ? [] : [{ path: 'reason', reason: 'must say something, in at most 500 characters' }];
}
