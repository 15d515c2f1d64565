import type { OrderRef } from '../core/order.ts';
import type { Payment } from '../core/payment.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { PaymentRow } from '../database/entities/order.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPages } from '../lists/read-pages.ts';
import type { Scope } from '../lists/scope.ts';

/** A page of each order's payments as its channel reported them, the last ones first. */
export function pagesOfPayments(
  { database }: { database: Database },
  scope: Scope,
  orders: readonly OrderRef[],
  page: PageRequest<'payments'>,
): Promise<Page<Payment>[]> {
  return readPages(
    database.reading,
    {
      table: 'payment',
      columns: columnsOf(database.orm, PaymentRow),
      parent: ['merchant_id', 'order_no'],
    },
    scope,
    orders.map(({ merchantId, orderNo }) => [merchantId, orderNo]),
    page,
  );
}
