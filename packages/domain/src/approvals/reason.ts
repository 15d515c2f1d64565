import type { FieldProblem } from '../core/rejection.ts';
import { saysSomething } from '../core/said-text.ts';

/** Checks the reason that an operator gives. Every audit record stores it. */
export function reasonProblem(reason: string): FieldProblem[] {
  return saysSomething(reason, 500)
    ? []
    : [{ path: 'reason', reason: 'must say something, in at most 500 characters' }];
}
