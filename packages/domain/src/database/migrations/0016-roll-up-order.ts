import { Migration } from '@mikro-orm/migrations';

/** When a merchant's account totals were moved last: those that waited longest come first. Null: not since this migration. */
export class RollUpOrder extends Migration {
  override up(): void {
    this.addSql('alter table account_total_progress add column moved_at timestamptz(3)');
  }
}
