import type { Payment } from '../core/payment.ts';
import type { Database } from '../store/database.ts';
import { PaymentRow } from '../store/entities/order.ts';
import { columnsOf } from '../store/statements.ts';
import { given, is, isOneOf, isWithin } from './conditions.ts';
import type { PaymentFilter } from './filters.ts';
import type { Page, PageRequest } from './page.ts';
import { readPage } from './read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from './scope.ts';

/** The payments that channels told of for a merchant's orders, by order number, the newest first: payouts', then payins'. */
export function pagePayments(
  { database }: { database: Database },
  scope: Scope,
  filter: PaymentFilter,
  page: PageRequest<'payments'>,
): Promise<Page<Payment>> {
  const wanted = [filter.merchantId];
  return readPage<Payment>(
    database.reading,
    {
      table: 'payment',
      columns: columnsOf(database.orm, PaymentRow),
      key: ['order_no', 'reference'],
      direction: 'desc',
      keyOf: ({ orderNo, reference }) => [orderNo, reference],
      merchants: merchantsToLookUp(wanted, scope),
      access: (add) => given(is('t.order_no', filter.orderNo, add)),
      filters: (add) => [
        ...ofMerchants(wanted, scope, add),
        ...given(
          isOneOf('t.channel_id', filter.channelIds, add),
          isOneOf('t.use', filter.uses, add),
          is('t.reference', filter.reference, add),
        ),
        ...isWithin('t.received_at', filter.receivedFrom, filter.receivedTo, add),
      ],
    },
    page,
  );
}
