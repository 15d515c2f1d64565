import { z } from 'zod';
import { joinedMerchant, type MerchantWithWallet, type WantedMerchant } from '../configuration/index.ts';
import type { Order } from '../core/order.ts';
import { tagOfOrderNo } from '../core/order-number.ts';
import { columnsAs } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { OrderRow } from '../database/entities/order.ts';
import { given, is, isOneOf, isWithin } from '../lists/conditions.ts';
import {
  amount,
  anyOf,
  channelId,
  country,
  created,
  kind,
  merchantIds,
  orderNo,
  orderStatus,
} from '../lists/filter-parts.ts';
import { readOnceJoined } from '../lists/joined-rows.ts';
import { type Only, withKeys } from '../lists/only.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from '../lists/scope.ts';
import type { Add } from '../lists/values.ts';

export const orderFilter = z.strictObject({
  ...{ merchantIds, kind: kind.nullish(), statuses: anyOf(orderStatus), countries: anyOf(country) },
  ...{ channelIds: anyOf(channelId), amountFrom: amount.nullish(), amountTo: amount.nullish(), ...created },
  /** The merchant's own number; several merchants may have the same. */
  merchantOrderNo: z
    .string()
    .regex(/^[!-~]{1,64}$/, 'must be 1 to 64 visible ASCII characters')
    .nullish(),
  orderNo: orderNo.nullish(),
});
export type OrderFilter = z.infer<typeof orderFilter>;

/** An order, with its merchant if that was read too. */
export type OrderWithMerchant = Order & { merchant?: MerchantWithWallet };

export interface OrderPageOptions {
  oldestFirst?: boolean;
  examined?: number;
  only?: Only;
  /** Which fields of each order's merchant are read; default: none. */
  merchant?: WantedMerchant;
}

/** The fields that are always read. */
const orderIdentity = ['merchantId', 'orderNo', 'kind', 'createdAt'] as const;

/**
 * Orders by creation time, the newest first unless `oldestFirst`. A cursor is valid for its filter and direction only.
 * `examined`: how many orders the search for a page looks at, at most. `only`: the wanted properties; of the others
 * only those of the order's identity are set.
 */
export function pageOrders(
  { database }: { database: Database },
  scope: Scope,
  filter: OrderFilter,
  page: PageRequest<'orders'>,
  { oldestFirst = false, examined, only, merchant }: OrderPageOptions = {},
): Promise<Page<OrderWithMerchant>> {
  const columns = columnsAs(database.orm, OrderRow, { only: withKeys(only, orderIdentity), alias: 't', prefix: '' });
  return readPage(
    database.reading,
    {
      table: 'orders',
      columns: columns.text,
      ...(merchant && {
        joined: readOnceJoined(database.orm, columns, joinedMerchant(merchant, 'merchant'), [
          'merchantId',
          'merchant_id',
        ]),
      }),
      isReversed: oldestFirst,
      merchants: merchantsToLookUp(filter.merchantIds ?? null, scope),
      access: (add) => [
        // The condition of the index of each merchant's orders by time.
        `t.created_at > '-infinity'`,
        ...byNumber(filter, add),
        ...isWithin('t.created_at', filter.createdFrom, filter.createdTo, add),
      ],
      filters: (add) => filtersOf(filter, scope, add),
    },
    page,
    examined,
  );
}

/** A number leads to one order of each merchant at most: of those with the number's tag, or with the merchant's own number of all. */
function byNumber({ orderNo, merchantOrderNo }: OrderFilter, add: Add): string[] {
  return [
    ...(orderNo == null
      ? []
      : [
          `t.order_no = ${add(orderNo)}`,
          `t.merchant_id in (select merchant_id from merchant where tag = ${add(tagOfOrderNo(orderNo))})`,
        ]),
    ...(merchantOrderNo == null
      ? []
      : [`t.merchant_order_no = ${add(merchantOrderNo)}`, 't.merchant_id in (select merchant_id from merchant)']),
  ];
}

function filtersOf(filter: OrderFilter, scope: Scope, add: Add): string[] {
  return [
    // An order's own country is its merchant's.
    ...ofMerchants(filter.merchantIds ?? null, { ...scope, countries: null }, add),
    ...given(
      isOneOf('t.country', scope.countries, add),
      isOneOf('t.country', filter.countries, add),
      is('t.kind', filter.kind, add),
      isOneOf('t.status', filter.statuses, add),
      isOneOf('t.channel_id', filter.channelIds, add),
      filter.amountFrom == null ? null : `t.amount >= ${add(filter.amountFrom)}::numeric`,
      filter.amountTo == null ? null : `t.amount <= ${add(filter.amountTo)}::numeric`,
    ),
  ];
}
