import type { OrderKind } from '../core/order.ts';
import type { Database } from '../database/database.ts';
import { type Scope, withinScope } from '../lists/scope.ts';
import { collectValues, whereAll } from '../lists/values.ts';
import { hasFeeRule, routesWithoutFee } from './queries.ts';

/**
 * One sentence for operators for each enabled route without a fee rule, whose orders are refused with 40303. The lists
 * are in the order of the merchants.
 */
export async function loadSetupWarnings(
  { database }: { database: Database },
  scope: Scope,
  merchantIds: readonly string[],
): Promise<string[][]> {
  if (merchantIds.length > 1_000) throw new RangeError(`at most 1000 merchants, not ${merchantIds.length}`);
  const { values, add } = collectValues();
  const wanted = `r.merchant_id = any(${add([...merchantIds])}::text[])`;
  const { rows } = await database.reading.query<{ merchantId: string; routeNo: number; kind: OrderKind }>(
    routesWithoutFee(whereAll([wanted, 'r.enabled', `not ${hasFeeRule}`, ...withinScope(scope, 'r.merchant_id', add)])),
    values,
  );
  const warnings = new Map<string, string[]>(merchantIds.map((merchantId) => [merchantId, []]));
  for (const { merchantId, routeNo, kind } of rows)
    warnings.get(merchantId)?.push(`Route ${routeNo} has no fee rule: its ${kind}s are refused with 40303. Set a fee.`);
  return merchantIds.map((merchantId) => warnings.get(merchantId) ?? []);
}
