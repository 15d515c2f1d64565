import type { DatabaseAccess } from '../database/database.ts';
import { Operator } from '../database/entities/access.ts';
import { joinedWallet } from '../ledger/index.ts';
import type { SmallTable } from '../lists/joined-rows.ts';
import { loadFew } from '../lists/load-few.ts';
import { type Scope, unrestricted } from '../lists/scope.ts';
import type { OperatorRecord } from './list-operators.ts';
import { type MerchantWithWallet, merchants, type WantedMerchant } from './merchant-tables.ts';

const operators: SmallTable = { entity: Operator, key: ['operatorId', 'operator_id'], isOfMerchant: false };

/** Merchants by number, with their wallets if wanted. Properties that are not wanted are missing, except the number. */
export function loadMerchants(
  { database }: DatabaseAccess,
  scope: Scope,
  ids: readonly string[],
  wanted: WantedMerchant = {},
) {
  const relations = joinedWallet(wanted, ['wallet']);
  return loadFew<MerchantWithWallet>(database, merchants, ids, scope, { only: wanted.only, relations });
}

/** Operators by id. The caller checks who may see them. */
export function loadOperators({ database }: DatabaseAccess, ids: readonly string[]) {
  return loadFew<OperatorRecord>(database, operators, ids, unrestricted);
}
