import { type Approval, objectsOf } from '../core/approval.ts';
import type { Refused } from '../core/rejection.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { Named } from './last-change.ts';
import { titleOfApproval } from './operations.ts';
import { approvalsAboutSql } from './queries.ts';

/** Requests that wait, by the objects that they decide about. */
export interface WaitingRequests {
  about(named: Named): Approval | null;
}

const keyOf = ({ tenant, subject }: Named): string => `${tenant} ${subject}`;

/** The request that waits about each of these objects, without a check of permissions. One statement for all. */
export async function loadWaitingRequests(
  { database }: DatabaseAccess,
  named: readonly Named[],
): Promise<WaitingRequests> {
  if (named.length === 0) return { about: () => null };
  const values = [named.map(({ tenant }) => tenant), named.map(({ subject }) => subject)];
  const { rows } = await database.pool.query<Approval>(approvalsAboutSql(database.orm), values);
  const waiting = new Map(
    rows.flatMap((one) => objectsOf(one).map((subject) => [keyOf({ tenant: one.merchantId, subject }), one])),
  );
  return { about: (one) => waiting.get(keyOf(one)) ?? null };
}

/** The refusal of another request about the same object. `waiting`: null if it was decided meanwhile. */
export function refusedBecauseOf(waiting: Approval | null): Refused {
  const refused: Refused = { ok: false, rejection: 'approval_waits' };
  if (waiting === null) return refused;
  const { approvalId, requestedBy } = waiting;
  return { ...refused, detail: `${approvalId} of ${requestedBy}, "${titleOfApproval(waiting)}"` };
}
