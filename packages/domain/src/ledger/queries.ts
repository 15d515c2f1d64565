import type { MikroORM } from '@mikro-orm/postgresql';
import { columnsOf, columnsOfEntity, type Statement } from '../database/columns.ts';
import { WalletEntryRow } from '../database/entities/ledger.ts';
import { OrderRow } from '../database/entities/order.ts';
import { queriesOf } from './records/index.ts';
import { selectList } from './records/queries.ts';

/** The queries of the ledger writer and of its records, and those of orders by their numbers. */
export type Statements = ReturnType<typeof makeStatements>;

/** Derives the columns from the entities, so that a column is named once. */
export function makeStatements(orm: MikroORM) {
  const orders = selectList(columnsOfEntity(orm, OrderRow));
  return {
    ...queriesOf(orm),
    orderByNo: {
      name: 'order-by-no',
      text: `select ${orders} from orders t where merchant_id = $1 and order_no = $2`,
    },
    /**
     * With the sums of its payments and cases, for the checkout page. Sums keep the row small: anyone with the address reads
     * it, and a channel can report many payments.
     */
    checkoutOrder: {
      name: 'checkout-order',
      text: `select ${orders}, ${moneySums} from orders t where t.merchant_id = $1 and t.order_no = $2`,
    },
    orderByMerchantOrderNo: {
      name: 'order-by-merchant-order-no',
      text: `select ${orders} from orders t where merchant_id = $1 and merchant_order_no = $2`,
    },
    ordersByMerchantOrderNo: {
      name: 'orders-by-merchant-order-no',
      text: `select ${orders} from orders t
        join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.merchant_order_no = k.n`,
    },
    /** How many open payouts wait for too long, counted up to $2. */
    stuckPayoutCount: {
      name: 'stuck-payout-count',
      text: `select count(*)::integer as count from (select from orders where ${isStuck('$1')} limit $2) t`,
    },
  } as const satisfies Record<string, Statement>;
}

const sums = (columns: string, group: string, table: string): string => `(select coalesce(json_agg(s), '[]') from (
  select ${columns} from ${table} c where c.merchant_id = t.merchant_id and c.order_no = t.order_no group by ${group}) s)`;

/** Columns with the sums that `moneyOfOrder` reads, of an order `t`: of its payments by use, and of its cases by state. */
export const moneySums = `${sums('c.use, sum(c.amount)::text as amount', 'c.use', 'payment')} as payments, ${sums(
  `c.kind, c.state, max(c.refund_no) as "refundNo", sum(c.amount)::text as amount, sum(c.came_back)::text as "cameBack"`,
  'c.kind, c.state, c.refund_no is null',
  'money_case',
)} as cases`;

/** After this time in milliseconds (before scaling) an open payout counts as stuck. */
export const stuckAfter = 60 * 60_000;

/**
 * A stuck payout. A channel has had it for more than `millis`, or it is a market payout whose proof has waited as long
 * for a decision, or whose operator for an answer whether they paid. The partial index `orders_open_payouts` holds the open ones only.
 */
export function isStuck(millis: string): string {
  return `kind = 'payout' and status in ('created', 'processing', 'market_available') and case mode
    when 'upstream' then created_at < clock_timestamp() - ${millis} * interval '1 ms'
    when 'market' then coalesce(task->'proof'->>'at', task->>'askedAt')::float8 < extract(epoch from clock_timestamp()) * 1000 - ${millis}
    else false end`;
}

/** One wallet as its merchant sees it (decisions 6); `updatedAt` is in Unix seconds. Parameters: $1 merchant. */
export const walletStatement: Statement = {
  name: 'read-wallet',
  text: `select currency, available::text as available, frozen::text as frozen,
  floor(extract(epoch from updated_at))::float8 as "updatedAt" from wallet where merchant_id = $1`,
};

/**
 * The number of entries in a wallet, and a page of them, the newest first. Entries are numbered without gaps, so a page
 * is a range of numbers, without offset and count. One statement reads both in one snapshot. Parameters: $1 merchant;
 * the page has the entries from the ($2 + 1)th newest to the $3th newest.
 */
export function walletPageStatement(orm: MikroORM): Statement {
  return {
    name: 'read-wallet-page',
    text: `select w.last_entry_no::float8 as total, to_json(e) as entry from wallet w left join lateral (
        select ${columnsOf(orm, WalletEntryRow)} from wallet_entry t
        where t.merchant_id = w.merchant_id and t.entry_no <= w.last_entry_no - $2::bigint and t.entry_no > w.last_entry_no - $3::bigint
      ) e on true where w.merchant_id = $1 order by e."entryNo" desc`,
  };
}

/**
 * Adds new transfers to `account_total`, and stores in `account_total_progress` up to which number. Merchants with the
 * oldest totals come first. Whether there may be more; false while another process does it. Parameters: $1 most
 * merchants, $2 most transfers of each.
 */
export const addToAccountTotalsSql = 'select roll_up_accounts($1, $2) as "isMore"';
