import fc from 'fast-check';
import { isTerminal, type Order } from '../core/order.ts';
import { countryRules } from '../countries/index.ts';
import type { Domain } from '../open-domain.ts';
import { fillOrderSearch } from '../orders/search/fill-order-search.ts';
import { waitFor } from './wait-for.ts';
import { anyOrders, deleteOrders, type Shop, writeOrders } from './written-orders.ts';

/** What a searched order has in addition to its row. */
export interface Searchable {
  order: Order;
  /** The reference of its payment at the bank. */
  reference: string | null;
  notification: 'pending' | 'delivered' | 'exhausted' | null;
}

export const bankCodes = ['HBL', 'JAZZCASH'];
export const failureReasons = ['payment failed', 'rejected by the payment channel'];
const accounts = ['50100234567890', 'PK36 SCBL 0000', '03001234567'];
const phones = ['+919812345678', '03001234567'];
const names = ['Asha Rao', 'Ali Khan', 'Mohammad Ali Khan', 'อรุณ ใจดี'];

/** Orders of these merchants that have everything that can be searched, each value in several of them. */
export function anySearchables(shops: readonly Shop[]): fc.Arbitrary<Searchable[]> {
  const extra = fc.record({
    bankCode: fc.option(fc.constantFrom(...bankCodes)),
    failureReason: fc.constantFrom(...failureReasons),
    after: fc.nat(30),
    account: fc.option(fc.constantFrom(...accounts)),
    mobile: fc.option(fc.constantFrom(...phones)),
    name: fc.option(fc.constantFrom(...names)),
    reference: fc.option(fc.constantFrom('UTR-1', 'UTR2', 'UTR3')),
    channelRef: fc.option(fc.constantFrom('ref-1', 'ref-2')),
    notification: fc.option(fc.constantFrom('pending', 'delivered', 'exhausted')),
  });
  return fc
    .tuple(
      fc.array(anyOrders(shops), { minLength: 6, maxLength: 6 }),
      fc.array(extra, { minLength: 60, maxLength: 60 }),
    )
    .map(([orders, extras]) => orders.flat().map((order, i) => searchable(order, extras[i % extras.length])));
}

type Extra = Pick<Searchable, 'reference' | 'notification'> &
  Pick<Order, 'bankCode' | 'failureReason' | 'channelRef'> & {
    after: number;
    account: string | null;
    mobile: string | null;
    name: string | null;
  };

function searchable(order: Order, extra: Extra | undefined): Searchable {
  if (!extra) throw new Error('fewer extras than orders');
  const { reference, notification, after, account, mobile, name, bankCode, channelRef } = extra;
  const party = { ...(account && { account }), ...(mobile && { mobile }), ...(name && { name }) };
  return {
    reference,
    notification: isNotified(order) ? notification : null,
    order: {
      ...order,
      bankCode,
      channelRef,
      details: { party },
      failureReason: order.status === 'failed' ? extra.failureReason : null,
      completedAt: order.completedAt === null ? null : order.completedAt + after,
    },
  };
}

/**
 * Whether an order can have a notification by the rules of its country: for its status, or for one that it had before it
 * ended. A search relies on it.
 */
function isNotified({ country, kind, status }: Order): boolean {
  const { payin, payout } = countryRules[country];
  const notified = (kind === 'payin' ? payin : payout)?.notifications.statuses ?? [];
  return notified.some((one) => one === status || !isTerminal(one));
}

/** Replaces all orders by these, with their payments and notifications, and makes them findable. */
export async function writeSearchables(domain: Domain, searchables: readonly Searchable[]): Promise<void> {
  const { pool } = domain.database;
  await pool.query(`begin; set local session_replication_role = 'replica';
    delete from notification; delete from payment; delete from order_search; commit`);
  await deleteOrders(domain);
  const orders = searchables.map(({ order }) => order);
  await writeOrders(domain, orders);
  const rows = JSON.stringify(
    searchables.map(({ order: { merchantId, orderNo }, ...rest }) => ({ merchantId, orderNo, ...rest })),
  );
  const from = `json_to_recordset($1::json) as r("merchantId" text, "orderNo" text, reference text, notification text)`;
  await pool.query(
    `insert into payment (merchant_id, order_no, seq, direction, reference, channel_id, amount, use, received_at, batch_no)
     select "merchantId", "orderNo", 1, 'in', reference, 'fake', 1, 'credited', clock_timestamp(), 1 from ${from} where reference is not null`,
    [rows],
  );
  // Some orders have two. Some wait for a pause, or for a later attempt: these are late.
  await pool.query(
    `insert into notification (merchant_id, order_no, status, url, body, state, attempt, held_by, next_attempt_at, created_at, delivered_at)
     select "merchantId", "orderNo", s.status, 'http://x.test', 'b', notification, n % 4,
       case when notification = 'pending' and n % 5 = 0 then 'pause' end, case notification when 'pending' then clock_timestamp() end,
       clock_timestamp(), case notification when 'delivered' then clock_timestamp() end
     from ${from} cross join lateral (select abs(hashtext("orderNo")::bigint) as n) h
     cross join lateral (values ('completed', 1), ('failed', 3)) as s(status, every) where notification is not null and n % s.every = 0`,
    [rows],
  );
  await makeFindable(domain);
}

/** Makes all orders findable that are there, as the worker does; new ones are so after a second. */
export async function makeFindable(domain: Domain): Promise<void> {
  const { pool } = domain.database;
  await pool.query(`update order_search_progress set since = '-infinity', until = '-infinity'`);
  const missing = `select from orders o where not exists (
    select from order_search s where s.merchant_id = o.merchant_id and s.order_no = o.order_no) limit 1`;
  await waitFor('orders to be findable', async () => {
    while (await fillOrderSearch(domain));
    const { rowCount } = await pool.query(missing);
    return rowCount === 0;
  });
}
