import type { Database } from '../database/database.ts';
import { findable } from '../lists/load-rows.ts';
import type { Scope } from '../lists/scope.ts';
import { collectValues } from '../lists/values.ts';
import { channelsInScopeSql } from './queries.ts';

/** Those of the given channels that an operator of this scope may see. */
export async function channelsInScope(
  { reading }: Pick<Database, 'reading'>,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (scope.countries === null && scope.merchantIds === null) return new Set(ids);
  const { values, add } = collectValues();
  const { rows } = await reading.query<{ id: string }>(channelsInScopeSql(scope, ids.map(findable), add), values);
  return new Set(rows.map(({ id }) => id));
}
