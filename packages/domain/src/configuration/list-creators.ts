import type { DatabaseAccess } from '../database/database.ts';
import { platformTenant } from '../ledger/index.ts';

/** Who created an operator. */
export interface CreatedBy {
  actor: string;
  approver: string | null;
}

/** The actions that create an operator. */
const actions = ['createFirstOperator', 'createOperator', 'createOperatorOfIdentity'];

/**
 * The creator of each operator, by the audit log; null if the log does not have it. The caller must check who may see
 * it.
 */
export async function loadCreators(
  { database }: DatabaseAccess,
  operatorIds: readonly string[],
): Promise<(CreatedBy | null)[]> {
  const { rows } = await database.reading.query<CreatedBy & { subject: string }>(creatorsSql, [
    platformTenant,
    operatorIds,
    actions,
  ]);
  const byId = new Map(rows.map(({ subject, actor, approver }) => [subject, { actor, approver }]));
  return operatorIds.map((id) => byId.get(id) ?? null);
}

const creatorsSql = `select distinct on (subject) subject, actor, approver from audit_record
  where merchant_id = $1 and subject = any($2::text[]) and action = any($3::text[]) order by subject, audit_no`;
