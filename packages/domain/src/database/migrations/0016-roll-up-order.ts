import { Migration } from '@mikro-orm/migrations';

/**
 * When a merchant's account totals were last updated. Those that have waited longest are next. Null: not since this
 * migration.
 */
export class RollUpOrder extends Migration {
  override up(): void {
    this.addSql('alter table account_total_progress add column moved_at timestamptz(3)');
  }
}
