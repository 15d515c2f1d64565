import { Migration } from '@mikro-orm/migrations';
import { type IndexToMake, makeConcurrently, partitionsOf } from './concurrent-indexes.ts';

/**
 * Ended orders by amount and by completion, over all groups. A search with too many groups reads orders in this
 * sequence, in steps of one page. The previous version does not use the indexes.
 */
export class EndedOrdersBySort extends Migration {
  // Indexes are created concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
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

// Always true. Only queries that repeat this condition use these indexes; others keep their own.
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
