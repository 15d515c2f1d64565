import type { Database } from '../database/database.ts';
import { findable } from '../lists/load-rows.ts';
import type { Scope } from '../lists/scope.ts';
import { type Add, collectValues, whereAll } from '../lists/values.ts';

/** Conditions that keep channels `t` to those that a route of a merchant within `scope` leads to, one that is off too. */
export function routedWithin({ countries, merchantIds }: Scope, add: Add): string[] {
  if (countries === null && merchantIds === null) return [];
  const ours = [
    'r.channel_id = t.channel_id',
    ...(merchantIds === null ? [] : [`r.merchant_id = any(${add(merchantIds)}::text[])`]),
    ...(countries === null ? [] : [`m.country = any(${add(countries)}::text[])`]),
  ];
  return [`exists (select from route r join merchant m using (merchant_id)${whereAll(ours)})`];
}

/** Which of these channels an operator of this scope gets to see. */
export async function channelsInScope(
  { reading }: Pick<Database, 'reading'>,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (scope.countries === null && scope.merchantIds === null) return new Set(ids);
  const { values, add } = collectValues();
  const conditions = [`t.channel_id = any(${add(ids.map(findable))}::text[])`, ...routedWithin(scope, add)];
  const { rows } = await reading.query<{ id: string }>(
    `select t.channel_id as id from channel t${whereAll(conditions)}`,
    values,
  );
  return new Set(rows.map(({ id }) => id));
}
