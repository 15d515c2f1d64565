import { z } from 'zod';
import type { Transfer } from '../core/ledger.ts';
import type { OrderRef } from '../core/order.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { TransferRow } from '../database/entities/ledger.ts';
import { given, is, isOneOf, isWithin } from '../lists/conditions.ts';
import { anyOf, created, merchantId, orderNo, text } from '../lists/filter-parts.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { readPages } from '../lists/read-pages.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from '../lists/scope.ts';

/** `account`: on either side, e.g. `suspense` or `channel:sandbox`. */
export const transferFilter = z.strictObject({
  merchantId,
  account: text.nullish(),
  causes: anyOf(text),
  orderNo: orderNo.nullish(),
  ...created,
});
export type TransferFilter = z.infer<typeof transferFilter>;

/** The transfers in a merchant's ledger by their numbers, the newest first. */
export function pageTransfers(
  { database }: { database: Database },
  scope: Scope,
  filter: TransferFilter,
  page: PageRequest<'transfers'>,
): Promise<Page<Transfer>> {
  const wanted = [filter.merchantId];
  return readPage(
    database.reading,
    {
      ...transfers(database),
      merchants: merchantsToLookUp(wanted, scope),
      indexConditions: (add) => given(is('t.order_no', filter.orderNo, add)),
      rowConditions: (add) => [
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

/** A page of each order's transfers, the newest first. */
export function pagesOfTransfers(
  { database }: { database: Database },
  scope: Scope,
  orders: readonly OrderRef[],
  page: PageRequest<'transfers'>,
): Promise<Page<Transfer>[]> {
  const list = { ...transfers(database), parent: ['merchant_id', 'order_no'] };
  const parents = orders.map(({ merchantId, orderNo }) => [merchantId, orderNo]);
  return readPages(database.reading, list, scope, parents, page);
}

function transfers({ orm }: Database) {
  return {
    table: 'transfer',
    columns: columnsOf(orm, TransferRow),
  } as const;
}
