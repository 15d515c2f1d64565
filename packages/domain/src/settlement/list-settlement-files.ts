import { z } from 'zod';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { SettlementFileRow } from '../database/entities/settlement.ts';
import { merchantIds } from '../lists/filter-parts.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from '../lists/scope.ts';
import type { SettlementFile } from './bank-file/types.ts';

/** `merchantIds`: platform tenants. */
export const settlementFileFilter = z.strictObject({ merchantIds });
export type SettlementFileFilter = z.infer<typeof settlementFileFilter>;

/** Bank files of settlements, the newest first. */
export function pageSettlementFiles(
  { database }: { database: Database },
  scope: Scope,
  filter: SettlementFileFilter,
  page: PageRequest<'settlement_files'>,
): Promise<Page<SettlementFile>> {
  const wanted = filter.merchantIds ?? null;
  return readPage(
    database.reading,
    {
      table: 'settlement_file',
      columns: columnsOf(database.orm, SettlementFileRow),
      merchants: merchantsToLookUp(wanted, scope),
      indexConditions: () => [],
      rowConditions: (add) => ofMerchants(wanted, scope, add),
    },
    page,
  );
}
