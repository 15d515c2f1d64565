import { Migration } from '@mikro-orm/migrations';
import { type IndexToMake, makeConcurrently, partitionsOf } from './concurrent-indexes.ts';

/** Finds the backlogs of each merchant, so that a merchant with very many hosts delays no other. */
export class BacklogsByMerchant extends Migration {
  // Indexes are made concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const statement of makeConcurrently(index, await this.#partitionsOf(index.table))) this.addSql(statement);
  }

  async #partitionsOf(table: string): Promise<string[]> {
    // The rules for migrations are tested without a database.
    if (!this.driver) return [];
    const rows = await this.execute(partitionsOf(table));
    return rows.map((row) => String((row as { part?: unknown }).part));
  }
}

const index: IndexToMake = {
  name: 'notification_backlogs_of_merchant',
  table: 'notification',
  // Only for statements that say the second condition, which is always true: claims need the index that has their order.
  what: "(merchant_id, host) where held_by = 'host' and created_at > '-infinity'",
};
