import { Migration } from '@mikro-orm/migrations';

/**
 * Records which transactions were writing the ledger when an export was requested. A single transaction number is not
 * enough, because transactions of the server's other databases count in it too.
 */
export class ExportsInFlight extends Migration {
  override up(): void {
    this.addSql(`alter table data_export
  -- Transactions that wrote the ledger when it was requested. It is written when they have ended. Null: requested by the version before.
  add column in_flight text[]`);
  }
}
