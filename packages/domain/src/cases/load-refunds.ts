import type { Refund } from '../core/refund.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { Scope } from '../lists/scope.ts';
import { collectValues } from '../lists/values.ts';
import { lastRefundsSql } from './queries.ts';

/** The last refund of each case, in the order of the cases; null where there was none. One statement. */
export async function loadLastRefunds(
  { database }: DatabaseAccess,
  scope: Scope,
  cases: readonly { merchantId: string; caseNo: number }[],
): Promise<(Refund | null)[]> {
  if (cases.length === 0) return [];
  const { values, add } = collectValues();
  const keys = {
    merchants: add(cases.map(({ merchantId }) => merchantId)),
    numbers: add(cases.map(({ caseNo }) => caseNo)),
  };
  const text = lastRefundsSql(database.orm, keys, scope, add);
  const { rows } = await database.reading.query<Refund & { place: number }>(text, values);
  const found = new Array<Refund | null>(cases.length).fill(null);
  for (const { place, ...refund } of rows) found[place - 1] = refund;
  return found;
}
