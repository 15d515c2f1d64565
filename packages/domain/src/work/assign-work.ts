import type { Country } from '../core/country.ts';
import { hasRole, mayAccess, type OperatorContext } from '../core/operator-rights.ts';
import type { Outcome, Refused } from '../core/rejection.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration } from '../ledger/index.ts';
import { problemOfWork } from './prepare-work.ts';
import { assigneeSql, assignmentSql, assignSql, releaseSql } from './queries.ts';
import { subjectOf, type WorkItem } from './work-item.ts';

/**
 * The operator to whom work is assigned, by whom and since when (Unix ms). It only informs others: every operator may
 * still decide.
 */
export interface Assignment {
  assignee: string;
  assignedBy: string;
  assignedAt: number;
}

/** Work that can be assigned: an order, a case or a break. */
export type AssignableItem = Exclude<WorkItem, { type: 'merchant' | 'booking' }>;

export function isAssignable(item: WorkItem): item is AssignableItem {
  return item.type === 'order' || item.type === 'case' || item.type === 'break';
}

/**
 * Assigns an order or a case to the operator. Of two operators who take the same one at the same time, one gets it, and
 * the other gets the name of the first. Taking one's own work again changes nothing. Refusals: forbidden,
 * order_not_found, case_not_found, already_assigned.
 */
export function takeWork(
  domain: ChangeAccess,
  operator: OperatorContext,
  item: AssignableItem,
): Promise<Outcome<Assignment>> {
  const { operatorId } = operator;
  return change(domain, operator, item, 'takeWork', async (within, now) => {
    const problem = problemOfTaking(operator, now);
    if (problem) return problem;
    return { ok: true, value: now ?? (await assign(within, item, operatorId, operatorId)) };
  });
}

/** Why an operator cannot take what another operator has; null if they can. */
export function problemOfTaking(
  { operatorId }: Pick<OperatorContext, 'operatorId'>,
  now: Assignment | null,
): Refused | null {
  if (now === null || now.assignee === operatorId) return null;
  return {
    ok: false,
    rejection: 'already_assigned',
    detail: now.assignee,
    changed: { by: now.assignee, at: now.assignedAt },
  };
}

/**
 * Releases an order or a case that one has; admins release those of any operator. Refusals: forbidden, order_not_found, case_not_found,
 * not_assigned, not_your_assignment.
 */
export function releaseWork(
  domain: ChangeAccess,
  operator: OperatorContext,
  item: AssignableItem,
): Promise<Outcome<null>> {
  return change(domain, operator, item, 'releaseWork', async (within, now) => {
    const problem = problemOfReleasing(operator, now);
    if (problem) return problem;
    await within.database.pool.query(releaseSql, [item.merchantId, subjectOf(item)]);
    return { ok: true, value: null };
  });
}

/** Why an operator cannot release a piece of work; null if they can. */
export function problemOfReleasing(
  operator: Pick<OperatorContext, 'operatorId' | 'roles'>,
  now: Assignment | null,
): Refused | null {
  if (now === null) return { ok: false, rejection: 'not_assigned' };
  if (now.assignee === operator.operatorId || hasRole(operator, ['admin'])) return null;
  const changed = { by: now.assignee, at: now.assignedAt };
  return { ok: false, rejection: 'not_your_assignment', detail: now.assignee, changed };
}

/**
 * Gives an order or a case to an operator, also one that is assigned. Refusals: forbidden, order_not_found, case_not_found;
 * operator_not_found for one who is blocked, or may not see it.
 */
export function assignWork(
  domain: ChangeAccess,
  operator: OperatorContext,
  item: AssignableItem,
  assignee: string,
): Promise<Outcome<Assignment>> {
  return change(domain, operator, item, 'assignWork', async (within) => {
    if (!(await isAble(within, assignee, item))) return { ok: false, rejection: 'operator_not_found' };
    return { ok: true, value: await assign(within, item, assignee, operator.operatorId) };
  });
}

async function isAble(
  { database }: ChangeTransaction,
  operatorId: string,
  { merchantId }: AssignableItem,
): Promise<boolean> {
  if (operatorId.includes('\u0000') || !operatorId.isWellFormed()) return false;
  interface Row extends Pick<OperatorContext, 'countries' | 'merchantIds'> {
    enabled: boolean;
    country: Country;
  }
  const { rows } = await database.pool.query<Row>(assigneeSql, [operatorId, merchantId]);
  const [row] = rows;
  return row?.enabled === true && mayAccess(row, { merchantId, country: row.country });
}

/** One change of an assignment, with an audit record. Changes of one merchant run one after the other. */
async function change<T extends Assignment | null>(
  domain: ChangeAccess,
  operator: OperatorContext,
  item: AssignableItem,
  name: string,
  apply: (within: ChangeTransaction, now: Assignment | null) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const problem = await problemOfWork(domain, operator, item);
  if (problem) return problem;
  const subject = subjectOf(item);
  const by = { actor: operator.operatorId, approver: null, reason: 'work' };
  return changeConfiguration<T>(domain, { tenant: item.merchantId, change: name }, by, async (within) => {
    const { rows } = await within.database.pool.query<Assignment>(assignmentSql, [item.merchantId, subject]);
    const now = rows[0] ?? null;
    const done = await apply(within, now);
    if (!done.ok) return done;
    const [before, after] = [{ assignee: now?.assignee ?? null }, { assignee: done.value?.assignee ?? null }];
    return { ok: true, value: { subject, before, after, value: done.value } };
  });
}

async function assign(
  { database }: ChangeTransaction,
  item: AssignableItem,
  assignee: string,
  assignedBy: string,
): Promise<Assignment> {
  const { rows } = await database.pool.query<Assignment>(assignSql, [
    item.merchantId,
    subjectOf(item),
    assignee,
    assignedBy,
  ]);
  return rows[0] as Assignment;
}
