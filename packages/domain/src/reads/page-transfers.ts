import type { Transfer } from '../core/ledger.ts';
import type { Database } from '../store/database.ts';
import { TransferRow } from '../store/entities/ledger.ts';
import { columnsOf } from '../store/statements.ts';
import { given, is, isOneOf, isWithin } from './conditions.ts';
import type { TransferFilter } from './filters.ts';
import type { Page, PageRequest } from './page.ts';
import { readPage } from './read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from './scope.ts';

/** The transfers in a merchant's books by their numbers, the newest first. */
export function pageTransfers(
  { database }: { database: Database },
  scope: Scope,
  filter: TransferFilter,
  page: PageRequest<'transfers'>,
): Promise<Page<Transfer>> {
  const wanted = [filter.merchantId];
  return readPage<Transfer>(
    database.reading,
    {
      table: 'transfer',
      columns: columnsOf(database.orm, TransferRow),
      key: ['transfer_no'],
      direction: 'desc',
      keyOf: ({ transferNo }) => [transferNo],
      merchants: merchantsToLookUp(wanted, scope),
      access: (add) => given(is('t.order_no', filter.orderNo, add)),
      filters: (add) => [
        ...ofMerchants(wanted, scope, add),
        ...given(
          isOneOf('t.cause', filter.causes, add),
          filter.account == null ? null : `${add(filter.account)} in (t.debit, t.credit)`,
        ),
        ...isWithin('t.created_at', filter.createdFrom, filter.createdTo, add),
      ],
    },
    page,
  );
}
