import { type Refused, rejections } from '../core/rejection.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { recordedWork } from '../work/index.ts';
import { lastChangeSql } from './statements.ts';

/** What a refusal is about, as audit records name it: an order number, `case 7`, a key. */
export interface Named {
  tenant: string;
  subject: string;
}

/** Refusals that say who has the task, although they are no conflict. */
const isAboutSomebody = (rejection: Refused['rejection']): boolean =>
  rejections[rejection][0] === 'conflict' || rejection === 'not_your_task';

/** The refusal with who changed it last, and when, where another operator may have been first. */
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
