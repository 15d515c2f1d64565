import type { DatabaseAccess } from '../database/database.ts';
import type { Violation } from './violation.ts';
import { type Checked, nothing, stepOn, type WholePosition, wholeStart } from './walk-whole.ts';

export interface AuditReport {
  /** At most 100 of each rule. */
  violations: Violation[];
  checked: Checked;
}

const violationLimit = 100;

/**
 * Proves the invariants of the ledger's design page on the whole database, in bounded steps. It changes nothing.
 * `reported` receives the number of checked rows after each step. For the audit that runs all the time see
 * audit-new.ts and audit-whole.ts.
 */
export async function audit(
  domain: DatabaseAccess,
  reported: (checked: Checked) => void = () => undefined,
): Promise<AuditReport> {
  const violations: Violation[] = [];
  const checked: Checked = { ...nothing };
  for (let at: WholePosition | null = wholeStart; at !== null; ) {
    const step = await stepOn(domain, at);
    for (const violation of step.violations)
      if (violations.filter(({ rule }) => rule === violation.rule).length < violationLimit) violations.push(violation);
    for (const what of Object.keys(checked) as (keyof Checked)[]) checked[what] += step.checked[what];
    reported({ ...checked });
    at = step.next;
  }
  return { violations, checked };
}
