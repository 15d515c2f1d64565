import { Migration } from '@mikro-orm/migrations';
import { type IndexToMake, makeConcurrently } from './concurrent-indexes.ts';

/** Open breaks and open days, the oldest first: the console counts them on its first page. The version before does not use the indexes. */
export class WaitingWork extends Migration {
  // Indexes are made concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const index of indexes) for (const statement of makeConcurrently(index, [])) this.addSql(statement);
  }
}

const indexes: readonly IndexToMake[] = [
  {
    name: 'reconciliation_break_waiting',
    table: 'reconciliation_break',
    what: `(opened_at, merchant_id, break_no) where state = 'open'`,
  },
  {
    name: 'reconciliation_day_open',
    table: 'reconciliation_day',
    what: `(day, merchant_id, channel_id) where state = 'open'`,
  },
];
