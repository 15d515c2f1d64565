import { Migration } from '@mikro-orm/migrations';
import { type IndexToMake, makeConcurrently } from './concurrent-indexes.ts';

/**
 * Beginnings of numbers and names with the time of creation. If very many orders have the same beginning, the newest are
 * found in the index. The previous version uses these indexes in place of those without the time.
 */
export class BeginningsByTime extends Migration {
  // Indexes are created concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const index of indexes) for (const statement of makeConcurrently(index, [])) this.addSql(statement);
    for (const name of replaced) this.addSql(`drop index concurrently if exists ${name}`);
  }
}

const table = 'order_search';

const indexes: readonly IndexToMake[] = [
  { name: 'order_search_number_by_time', table, what: '(order_no text_pattern_ops, created_at)' },
  {
    name: 'order_search_merchant_number_by_time',
    table,
    what: '(merchant_order_no text_pattern_ops, created_at)',
  },
  { name: 'order_search_name_by_time', table, what: '(name text_pattern_ops, created_at) where name is not null' },
  {
    name: 'order_search_last_name_by_time',
    table,
    what: '(last_name text_pattern_ops, created_at) where last_name is not null',
  },
];

const replaced = [
  'order_search_by_number',
  'order_search_by_merchant_number',
  'order_search_by_name',
  'order_search_by_last_name',
];
