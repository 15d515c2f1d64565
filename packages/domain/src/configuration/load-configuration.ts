import type { DatabaseAccess } from '../database/database.ts';
import { Operator } from '../database/entities/access.ts';
import { Merchant } from '../database/entities/merchant.ts';
import { loadFew, type SmallTable } from '../lists/load-few.ts';
import { type Scope, unrestricted } from '../lists/scope.ts';
import type { MerchantRecord } from './list-merchants.ts';
import type { OperatorRecord } from './list-operators.ts';

const merchants: SmallTable = {
  entity: Merchant,
  omitted: ['tag'],
  key: ['merchantId', 'merchant_id'],
  isOfMerchant: true,
};
const operators: SmallTable = { entity: Operator, key: ['operatorId', 'operator_id'], isOfMerchant: false };

/** Merchants by number. */
export function loadMerchants({ database }: DatabaseAccess, scope: Scope, ids: readonly string[]) {
  return loadFew<MerchantRecord>(database, merchants, ids, scope);
}

/** Operators by id. The caller checks who may see them. */
export function loadOperators({ database }: DatabaseAccess, ids: readonly string[]) {
  return loadFew<OperatorRecord>(database, operators, ids, unrestricted);
}
