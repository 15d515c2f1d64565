import type { WalletEntry } from '../core/wallet.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { WalletEntryRow } from '../database/entities/ledger.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPages } from '../lists/read-pages.ts';
import type { Scope } from '../lists/scope.ts';

/** Of each merchant a page of its wallet's entries by their numbers, the newest first. */
export function pagesOfWalletEntries(
  { database }: { database: Database },
  scope: Scope,
  merchantIds: readonly string[],
  page: PageRequest<'wallet_entries'>,
): Promise<Page<WalletEntry>[]> {
  return readPages(
    database.reading,
    {
      table: 'wallet_entry',
      columns: columnsOf(database.orm, WalletEntryRow),
      parent: ['merchant_id'],
    },
    scope,
    merchantIds.map((merchantId) => [merchantId]),
    page,
  );
}
