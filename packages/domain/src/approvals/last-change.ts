import { type Refused, rejections } from '../core/rejection.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { recordedWork } from '../work/index.ts';
import { lastChangeSql } from './queries.ts';

/** The object of a refusal, as audit records name it: an order number, `case 7`, a key. */
export interface Named {
  tenant: string;
  subject: string;
}

/** Refusals that name the operator of a task, although they are not conflicts. */
const isAboutSomebody = (rejection: Refused['rejection']): boolean =>
  rejections[rejection][0] === 'conflict' || rejection === 'not_your_task';

/**
 * The refusal, with the last change of the object: by whom and when. It is added if another operator may have been
 * first.
 */
export async function withLastChange(
  { database }: DatabaseAccess,
  refused: Refused,
  { tenant, subject }: Named,
): Promise<Refused> {
  if (!isAboutSomebody(refused.rejection) || refused.changed) return refused;
  const caseNo = /^case ([0-9]{1,15})$/.exec(subject)?.[1] ?? null;
  const values = [tenant, subject, caseNo, recordedWork];
  const { rows } = await database.pool.query<{ by: string; at: number }>(lastChangeSql, values);
  const [changed] = rows;
  return changed ? { ...refused, changed } : refused;
}
