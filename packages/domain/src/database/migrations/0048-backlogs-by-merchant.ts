import { Migration } from '@mikro-orm/migrations';
import { type IndexToMake, makeConcurrently, partitionsOf } from './concurrent-indexes.ts';

/** Finds the backlogs of one merchant, so that a merchant with very many hosts does not delay others. */
export class BacklogsByMerchant extends Migration {
  // Indexes are created concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const statement of makeConcurrently(index, await this.#partitionsOf(index.table))) this.addSql(statement);
  }

  async #partitionsOf(table: string): Promise<string[]> {
    // tests/migrations.test.ts collects the statements without a database.
    if (!this.driver) return [];
    const rows = await this.execute(partitionsOf(table));
    return rows.map((row) => String((row as { part?: unknown }).part));
  }
}

const index: IndexToMake = {
  name: 'notification_backlogs_of_merchant',
  table: 'notification',
  // The second condition is always true. Only queries that repeat it use this index. Claims need the other index, which
  // has their order.
  what: "(merchant_id, host) where held_by = 'host' and created_at > '-infinity'",
};
