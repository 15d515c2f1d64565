import type { WalletEntry } from '../core/wallet.ts';
import type { Database } from '../store/database.ts';
import { WalletEntryRow } from '../store/entities/ledger.ts';
import { columnsOf } from '../store/statements.ts';
import { given, is, isOneOf, isWithin } from './conditions.ts';
import type { WalletEntryFilter } from './filters.ts';
import type { Page, PageRequest } from './page.ts';
import { readPage } from './read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from './scope.ts';

/** The entries of a merchant's wallet by their numbers, the newest first. */
export function pageWalletEntries(
  { database }: { database: Database },
  scope: Scope,
  filter: WalletEntryFilter,
  page: PageRequest<'wallet_entries'>,
): Promise<Page<WalletEntry>> {
  const wanted = [filter.merchantId];
  return readPage<WalletEntry>(
    database.reading,
    {
      table: 'wallet_entry',
      columns: columnsOf(database.orm, WalletEntryRow),
      key: ['entry_no'],
      direction: 'desc',
      keyOf: ({ entryNo }) => [entryNo],
      merchants: merchantsToLookUp(wanted, scope),
      access: (add) => given(is('t.order_no', filter.orderNo, add)),
      filters: (add) => [
        ...ofMerchants(wanted, scope, add),
        ...given(isOneOf('t.type', filter.types, add)),
        ...isWithin('t.created_at', filter.createdFrom, filter.createdTo, add),
      ],
    },
    page,
  );
}
