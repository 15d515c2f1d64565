import type { WalletEntry } from '../core/wallet.ts';
import type { Database } from '../store/database.ts';
import { WalletEntryRow } from '../store/entities/ledger.ts';
import { columnsOf } from '../store/statements.ts';
import type { Page, PageRequest } from './page.ts';
import { readPages } from './read-pages.ts';
import type { Scope } from './scope.ts';

/** Of each merchant a page of its wallet's entries by their numbers, the newest first. */
export function pagesOfWalletEntries(
  { database }: { database: Database },
  scope: Scope,
  merchantIds: readonly string[],
  page: PageRequest<'wallet_entries'>,
): Promise<Page<WalletEntry>[]> {
  return readPages<WalletEntry>(
    database.reading,
    {
      table: 'wallet_entry',
      columns: columnsOf(database.orm, WalletEntryRow),
      key: ['entry_no'],
      direction: 'desc',
      keyOf: ({ entryNo }) => [entryNo],
      parent: ['merchant_id'],
    },
    scope,
    merchantIds.map((merchantId) => [merchantId]),
    page,
  );
}
