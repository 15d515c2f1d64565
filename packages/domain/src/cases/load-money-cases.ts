import type { MoneyCase } from '../core/payment.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { MoneyCaseRow } from '../database/entities/ledger.ts';
import { loadRows, ofMerchant } from '../lists/load-rows.ts';
import type { Scope } from '../lists/scope.ts';

const cases = ofMerchant(MoneyCaseRow, ['case_no', 'bigint']);

export function loadMoneyCases(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; caseNo: number }[],
) {
  return loadRows<MoneyCase>(
    database,
    cases,
    refs.map((ref) => [ref.merchantId, ref.caseNo]),
    scope,
  );
}
