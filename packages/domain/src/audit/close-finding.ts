import type { Decision } from '../core/operator.ts';
import type { Outcome } from '../core/rejection.ts';
import { columnsOf } from '../database/columns.ts';
import { AuditFindingRow } from '../database/entities/audit.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration } from '../ledger/index.ts';
import type { Finding } from './open-findings.ts';

/**
 * `repaired`: if the violation is found again, it is a new finding. `accepted`: the violation cannot be repaired, and
 * is not reported again while it stays the same.
 */
export type FindingOutcome = 'repaired' | 'accepted';

/**
 * Closes a finding with the reason in `by`, which goes into the merchant's audit records in the same transaction. To
 * accept one takes two operators. Refusals: finding_not_found, finding_closed, second_operator_needed.
 */
export function closeFinding(
  domain: ChangeAccess,
  { merchantId, findingNo, outcome }: { merchantId: string; findingNo: number; outcome: FindingOutcome },
  by: Decision,
): Promise<Outcome<Finding>> {
  const isAgreed = by.approver !== null && by.approver !== by.actor;
  if (outcome === 'accepted' && !isAgreed) return Promise.resolve({ ok: false, rejection: 'second_operator_needed' });
  const columns = columnsOf(domain.database.orm, AuditFindingRow);
  const find = async (within: ChangeTransaction): Promise<Finding | undefined> => {
    const text = `select ${columns} from audit_finding t where merchant_id = $1 and finding_no = $2 for update`;
    return (await within.database.pool.query<Finding & object>(text, [merchantId, findingNo])).rows[0];
  };
  return changeConfiguration(domain, { tenant: merchantId, change: 'closeFinding' }, by, async (within) => {
    const found = await find(within);
    if (!found) return { ok: false, rejection: 'finding_not_found' };
    if (found.state !== 'open') return { ok: false, rejection: 'finding_closed' };
    await within.database.pool.query(closeSql, [merchantId, findingNo, outcome]);
    const value = (await find(within)) ?? found;
    const { rule, subject } = found;
    const change = { before: { state: found.state, rule, subject }, after: { state: outcome } };
    return { ok: true, value: { subject: `finding ${findingNo}`, ...change, value } };
  });
}

const closeSql = `update audit_finding set state = $3, closed_at = clock_timestamp() where merchant_id = $1 and finding_no = $2`;
