import { Migration } from '@mikro-orm/migrations';
import { makeConcurrently } from './concurrent-indexes.ts';

/**
 * Rows of `order_search` by time of creation. If very many orders have the searched beginning, the search reads these
 * narrow rows, newest first, and not the orders. The previous version does not use the index.
 */
export class OrderSearchByTime extends Migration {
  // The index is created concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const statement of makeConcurrently(index, [])) this.addSql(statement);
  }
}

const index = { name: 'order_search_by_time', table: 'order_search', what: '(created_at)' };
