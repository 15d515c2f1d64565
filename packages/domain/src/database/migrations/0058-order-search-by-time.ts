import { Migration } from '@mikro-orm/migrations';
import { makeConcurrently } from './concurrent-indexes.ts';

/**
 * Rows of `order_search` by creation. A search for a beginning that very many orders have looks at these narrow rows, the newest first, in place of
 * orders. The version before does not use the index.
 */
export class OrderSearchByTime extends Migration {
  // The index is made concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const statement of makeConcurrently(index, [])) this.addSql(statement);
  }
}

const index = { name: 'order_search_by_time', table: 'order_search', what: '(created_at)' };
