import { Migration } from '@mikro-orm/migrations';
import { type IndexToMake, makeConcurrently, partitionsOf } from './concurrent-indexes.ts';

/**
 * Ended orders by amount and by completion, whatever their group. A search that has too many groups looks at orders in this order, one page's worth at a
 * time. The version before does not use the indexes.
 */
export class EndedOrdersBySort extends Migration {
  // Indexes are made concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const index of indexes)
      for (const statement of makeConcurrently(index, await this.#partitionsOf(index.table))) this.addSql(statement);
  }

  async #partitionsOf(table: string): Promise<string[]> {
    // The rules for migrations are tested without a database.
    if (!this.driver) return [];
    const rows = await this.execute(partitionsOf(table));
    return rows.map((row) => String((row as { part?: unknown }).part));
  }
}

// Only for statements that say the same: others would take these indexes in place of their own.
const forSearches = `order_no > ''`;

const indexes: readonly IndexToMake[] = [
  {
    name: 'orders_ended_by_amount',
    table: 'orders',
    what: `(amount, created_at) where status in ('completed', 'failed', 'timeout', 'cancelled') and ${forSearches}`,
  },
  {
    name: 'orders_ended_by_completion',
    table: 'orders',
    what: `(completed_at) where completed_at is not null and ${forSearches}`,
  },
];
