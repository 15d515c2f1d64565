import { Migration } from '@mikro-orm/migrations';
import { type IndexToMake, makeConcurrently, partitionsOf } from './concurrent-indexes.ts';

/**
 * Indexes and tables for the operators' search. Ended orders with the same country, kind, status, channel, bank code
 * and failure reason form a group. The indexes keep each group sorted by time, amount or completion. Beginnings of
 * numbers, accounts, phones and names are in a separate table, which the worker fills.
 */
export class OrderSearch extends Migration {
  // Indexes are created concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const statement of tables) this.addSql(statement);
    for (const index of indexes)
      for (const statement of makeConcurrently(index, await this.#partitionsOf(index.table))) this.addSql(statement);
  }

  async #partitionsOf(table: string): Promise<string[]> {
    // tests/migrations.test.ts collects the statements without a database.
    if (!this.driver) return [];
    const rows = await this.execute(partitionsOf(table));
    return rows.map((row) => String((row as { part?: unknown }).part));
  }
}

const group = `kind, status, channel_id, (coalesce(bank_code, '')), (coalesce(failure_reason, ''))`;
// Always true. Only queries that repeat this condition use these indexes. Otherwise the ledger writer's look-ups by
// merchant could use them.
const forLists = `created_at > '-infinity'`;
// Creating an order writes none of these indexes. Open orders are few and have their own indexes.
const ended = `status in ('completed', 'failed', 'timeout', 'cancelled')`;

const indexes: readonly IndexToMake[] = [
  { name: 'orders_group_by_time', table: 'orders', what: `(country, ${group}, created_at, amount) where ${ended}` },
  { name: 'orders_group_by_amount', table: 'orders', what: `(country, ${group}, amount, created_at) where ${ended}` },
  {
    name: 'orders_group_by_completion',
    table: 'orders',
    what: `(country, ${group}, completed_at, amount) where completed_at is not null`,
  },
  {
    name: 'orders_merchant_group_by_time',
    table: 'orders',
    what: `(merchant_id, ${group}, created_at, amount) where ${ended} and ${forLists}`,
  },
  {
    name: 'orders_merchant_group_by_amount',
    table: 'orders',
    what: `(merchant_id, ${group}, amount, created_at) where ${ended} and ${forLists}`,
  },
  {
    name: 'orders_merchant_group_by_completion',
    table: 'orders',
    what: `(merchant_id, ${group}, completed_at, amount) where completed_at is not null and ${forLists}`,
  },
  { name: 'orders_by_channel_ref', table: 'orders', what: '(channel_ref) where channel_ref is not null' },
  // Without the merchant: the ledger writer reads payments by their primary key.
  { name: 'payment_by_reference', table: 'payment', what: '(reference)' },
  // `text_pattern_ops` finds beginnings under any collation of the database.
  { name: 'order_search_by_number', table: 'order_search', what: '(order_no text_pattern_ops)' },
  {
    name: 'order_search_by_merchant_number',
    table: 'order_search',
    what: '(merchant_order_no text_pattern_ops)',
  },
  {
    name: 'order_search_by_account',
    table: 'order_search',
    what: '(account_key, created_at) where account_key is not null',
  },
  { name: 'order_search_by_phone', table: 'order_search', what: '(phone_key, created_at) where phone_key is not null' },
  { name: 'order_search_by_name', table: 'order_search', what: '(name text_pattern_ops) where name is not null' },
  {
    name: 'order_search_by_last_name',
    table: 'order_search',
    what: '(last_name text_pattern_ops) where last_name is not null',
  },
];

const tables = [
  `create table if not exists order_search (
    merchant_id text not null,
    order_no text not null,
    merchant_order_no text not null,
    created_at timestamptz(3) not null,
    -- Keyed hashes: an account or a phone number can be found, but not read.
    account_key text,
    phone_key text,
    -- In small letters; the last word only if there are several.
    name text,
    last_name text,
    primary key (merchant_id, order_no)
  )`,
  // Orders created from "since" to "until" can be found. The worker extends the range in both directions, to older
  // orders last.
  `create table if not exists order_search_progress (
    name text primary key check (name = 'orders'),
    since timestamptz(3) not null,
    until timestamptz(3) not null
  )`,
  `insert into order_search_progress select 'orders', clock_timestamp(), clock_timestamp() on conflict do nothing`,
];
